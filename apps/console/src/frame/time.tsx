import { exactTime, shortTime } from '../words/formats.js';
import { useNow } from './now.js';

/** Relative up to a day; the exact time with its zone on hover. */
export function Time({ at }: Readonly<{ at: string }>) {
  const now = useNow();
  return (
    <time dateTime={at} title={exactTime(at)}>
      {shortTime(at, now + 10_000)}
    </time>
  );
}
