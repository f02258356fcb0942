import { useNow } from '../frame/now.js';
import { Time } from '../frame/time.js';
import { dateText, exactTime } from '../words/formats.js';
import { tokenEndWords as words } from './token-end-words.js';

const SOON_MS = 7 * 86_400_000;

type Props = Readonly<{ token: Readonly<{ expires_at: string | null; revoked_at: string | null }> }>;

/** When a token ends, marked a week before: whoever uses it needs a new one by then. */
export function TokenEnd({ token: { expires_at: end, revoked_at: revoked } }: Props) {
  const now = useNow();
  if (end === null) return words.never;
  const leftMs = Date.parse(end) - now;
  if (leftMs <= 0)
    return (
      <span className="soft">
        {words.ended} <Time at={end} />
      </span>
    );
  const date = (
    <time dateTime={end} title={exactTime(end)}>
      {dateText(end, now)}
    </time>
  );
  if (revoked !== null || leftMs > SOON_MS) return date;
  return (
    <span className="two-lines">
      {date}
      <strong className="waits small">{words.soon(Math.ceil(leftMs / 86_400_000))}</strong>
    </span>
  );
}
