import { Button } from '@mantine/core';
import { exactTime } from '../words/formats.js';
import { orderWords as words } from '../words/order.js';

type Props = Readonly<{ version: number; latest: number; at: string; onChange: (version: number) => void }>;

/** The order as it was: one step of the slider is one recorded change. */
export function AsOf({ version, latest, at, onChange }: Props) {
  return (
    <div className="as-of">
      <label>
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
