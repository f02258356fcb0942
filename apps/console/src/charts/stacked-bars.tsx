import type { ChartData } from './chart.js';
import { type Places, Plot } from './plot.js';

type Props = ChartData & Readonly<{ onPoint: (slot: number | null) => void }>;

/** One bar a slot, with a part for each series, the first at the bottom. */
export function StackedBars({ onPoint, ...data }: Props) {
  const { series, slots } = data;
  const sums = slots.map(({ values }) => series.reduce((sum, { id }) => sum + (values[id] ?? 0), 0));
  const draw = ({ left, top, slotWidth }: Places) => {
    // Small enough for narrow bars.
    const gap = slotWidth > 12 ? 4 : slotWidth > 4 ? 1 : 0;
    return slots.map(({ id: slotId, values }, slot) => {
      let below = 0;
      return (
        <g key={slotId}>
          {series.map(({ id, tone }) => {
            const value = values[id] ?? 0;
            const bottom = top(below);
            below += value;
            const y = top(below);
            return (
              value > 0 && (
                <rect
                  key={id}
                  className={`bar ${tone}`}
                  x={left(slot) + gap / 2}
                  y={y}
                  width={Math.max(1, slotWidth - gap)}
                  height={Math.max(1, bottom - y)}
                />
              )
            );
          })}
        </g>
      );
    });
  };
  return <Plot {...data} most={Math.max(0, ...sums)} draw={draw} onPoint={onPoint} />;
}
