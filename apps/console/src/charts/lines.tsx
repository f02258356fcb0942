import type { ChartData, Slot } from './chart.js';
import { type Places, Plot } from './plot.js';

type Props = ChartData & Readonly<{ most?: number; onPoint: (slot: number | null) => void }>;

/** One line a series. Where nothing was measured the line has a gap; a measurement between two gaps is a dot. */
export function Lines({ onPoint, most, ...data }: Props) {
  const { series, slots } = data;
  const values = series.flatMap(({ id }) => slots.map(({ values: all }) => all[id] ?? 0));
  const draw = ({ left, top, slotWidth }: Places) =>
    series.map(({ id, tone }) => (
      <g key={id} className={`line ${tone}`}>
        {runs(slots, id).map((run) => {
          const points = run.map(({ slot, value }) => `${left(slot) + slotWidth / 2},${top(value)}`);
          const [first = '0,0'] = points;
          const [x, y] = first.split(',');
          return points.length > 1 ? (
            <polyline key={first} points={points.join(' ')} />
          ) : (
            <circle key={first} cx={x} cy={y} r="2.5" />
          );
        })}
      </g>
    ));
  return (
    <Plot
      {...data}
      most={most ?? Math.max(0, ...values)}
      least={Math.min(0, ...values)}
      draw={draw}
      onPoint={onPoint}
    />
  );
}

type Point = Readonly<{ slot: number; value: number }>;

/** Splits the measurements at their gaps. */
function runs(slots: readonly Slot[], series: string): Point[][] {
  const found: Point[][] = [[]];
  slots.forEach(({ values }, slot) => {
    const value = values[series] ?? null;
    if (value === null) found.push([]);
    else found.at(-1)?.push({ slot, value });
  });
  return found.filter((run) => run.length > 0);
}
