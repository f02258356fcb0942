import type { DiscoveryKey } from '#accounts/discovery-key.contract';
import { nameOfDay, number } from '../../words/formats.js';
import { keyWords } from './key-words.js';

const words = keyWords.discovery;
const DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1_000;
const HEIGHT = 20;
const STEP = 4;

/** One bar a day (UTC), the latest to the right. */
export function DiscoveryKeyUsage({ usage }: Pick<DiscoveryKey, 'usage'>) {
  const sum = (pick: (day: DiscoveryKey['usage'][number]) => number) => usage.reduce((all, day) => all + pick(day), 0);
  const requests = sum((day) => day.requests);
  if (requests === 0) return <span className="soft">{words.unused}</span>;
  const throttled = sum((day) => day.throttled);
  const most = Math.max(...usage.map((day) => day.requests));
  const byDay = new Map(usage.map((day) => [day.day, day]));
  const now = Date.now();
  const days = Array.from({ length: DAYS }, (_, index) => {
    const day = new Date(now - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return { day, requests: byDay.get(day)?.requests ?? 0, throttled: byDay.get(day)?.throttled ?? 0 };
  });
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(1, (count / most) * HEIGHT));
  const used = days.filter((day) => day.requests > 0);
  const lines = used.map((day) => words.dayLine(nameOfDay(day.day), number(day.requests), number(day.throttled)));
  return (
    <span className="usage">
      <svg
        viewBox={`0 0 ${DAYS * STEP} ${HEIGHT}`}
        width={DAYS * STEP}
        height={HEIGHT}
        role="img"
        aria-label={words.usageLabel(lines.join('; '))}
      >
        <title>{lines.join('\n')}</title>
        {days.map((day, index) => (
          <g key={day.day}>
            <rect className="day" x={index * STEP} y={HEIGHT - 1} width={STEP - 1} height={1} />
            <rect
              className="bar"
              x={index * STEP}
              y={HEIGHT - heightOf(day.requests)}
              width={STEP - 1}
              height={heightOf(day.requests)}
            />
            <rect
              className="bar over"
              x={index * STEP}
              y={HEIGHT - heightOf(day.throttled)}
              width={STEP - 1}
              height={heightOf(day.throttled)}
            />
          </g>
        ))}
      </svg>
      <span>
        {words.requests(number(requests))}
        {throttled > 0 && <span className="late"> · {words.throttled(number(throttled))}</span>}
      </span>
    </span>
  );
}
