import { frame } from '../words/frame.js';

/** Stands where a list will be, as high as an empty or a short one, so that little moves when it comes. */
export function SkeletonRows() {
  return (
    <div className="skeleton-rows" role="status" aria-label={frame.loading}>
      {['long', 'middle', 'short'].map((length) => (
        <div key={length} className={`skeleton ${length}`} />
      ))}
    </div>
  );
}
