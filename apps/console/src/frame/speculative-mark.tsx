import { speculative } from '../words/speculative.js';

/** Says that the seller does not have the tickets yet. */
export function SpeculativeMark() {
  return (
    <span className="tag" title={speculative.meaning}>
      {speculative.mark}
    </span>
  );
}
