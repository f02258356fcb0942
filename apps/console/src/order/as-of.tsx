import { Button } from '@mantine/core';
import { exactTime } from '../words/formats.js';
import { dayOf } from '../words/time-zone.js';
import { orderWords as words } from './order-words.js';

type Props = Readonly<{
  version: number;
  latest: number;
  at: string;
  /** The version that this one is compared with. */
  compared: number | null;
  onChange: (version: number) => void;
  /** A day such as `2026-11-26`. */
  onDay: (day: string) => void;
  onCompare: (version: number | null) => void;
}>;

/** The order as it was: one step of the slider is one recorded change. */
export function AsOf({ version, latest, at, compared, onChange, onDay, onCompare }: Props) {
  const others = Array.from({ length: latest }, (_, index) => index + 1).filter((one) => one !== version);
  return (
    <div className="as-of">
      <div className="row">
        <label className="grow">
          <span>{words.asOf}</span>
          <input
            type="range"
            aria-label={words.asOf}
            min={1}
            max={latest}
            step={1}
            value={version}
            disabled={latest === 1}
            aria-valuetext={version === latest ? words.asOfNow : words.asOfBar(exactTime(at), version, latest)}
            onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
          />
          <span className="soft">{version === latest ? words.asOfNow : `${version} / ${latest}`}</span>
        </label>
        <input
          type="date"
          aria-label={words.asOfDay}
          title={words.asOfDay}
          disabled={latest === 1}
          value={version === latest ? '' : dayOf(new Date(at))}
          onChange={({ currentTarget }) => currentTarget.value !== '' && onDay(currentTarget.value)}
        />
        {others.length > 0 && (
          <select
            aria-label={words.compare.show}
            value={compared ?? ''}
            onChange={({ currentTarget }) => onCompare(currentTarget.value === '' ? null : Number(currentTarget.value))}
          >
            <option value="">{words.compare.show} …</option>
            {others.map((one) => (
              <option key={one} value={one}>
                {words.compare.version(one)}
              </option>
            ))}
          </select>
        )}
      </div>
      {version !== latest && (
        <div className="news warning row" role="status">
          <span>
            {words.asOfBar(exactTime(at), version, latest)}. {words.offThen}
          </span>
          <Button variant="default" size="compact-sm" onClick={() => onChange(latest)}>
            {words.backToNow}
          </Button>
        </div>
      )}
    </div>
  );
}
