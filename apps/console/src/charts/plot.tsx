import { scaleLinear } from 'd3-scale';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type ChartData, HEIGHT, MARGIN, namedSlots } from './chart.js';
import { useWidth } from './use-width.js';

/** Positions in pixels: of a slot from the left, and of a value from the top. */
export type Places = Readonly<{ left: (slot: number) => number; top: (value: number) => number; slotWidth: number }>;

type Props = ChartData &
  Readonly<{
    /** The largest value; the axis ends at a round number above it. */
    most: number;
    /** The smallest, if it is below 0. */
    least?: number;
    draw: (places: Places) => ReactNode;
    /** Called with the slot under the pointer. */
    onPoint: (slot: number | null) => void;
  }>;

const TICKS = 4;

/**
 * The axes of a chart, and its slots as targets for the pointer. A click shows the orders of a slot. Screen readers do not get the
 * picture, because the table below it has the same numbers and links.
 */
export function Plot({ slots, format, unit = 1, isWhole = false, most, least = 0, draw, onPoint }: Props) {
  const navigate = useNavigate();
  const [ref, width] = useWidth();
  const [pointed, setPointed] = useState<number | null>(null);
  const inner = Math.max(0, width - MARGIN.left - MARGIN.right);
  const slotWidth = slots.length === 0 ? 0 : inner / slots.length;
  const range = [least / unit, Math.max(most / unit, 1e-9)];
  const scale = scaleLinear(range, [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(TICKS);
  const ticks = most > least ? scale.ticks(TICKS).filter((tick) => !isWhole || Number.isInteger(tick)) : [0];
  const left = (slot: number) => MARGIN.left + slot * slotWidth;
  const point = (slot: number | null) => {
    setPointed(slot);
    onPoint(slot);
  };
  return (
    <div ref={ref} className="plot">
      {width > 0 && (
        <svg width={width} height={HEIGHT} aria-hidden="true" onPointerLeave={() => point(null)}>
          {ticks.map((tick) => (
            <g key={tick} transform={`translate(0 ${scale(tick)})`}>
              <line className="grid" x1={MARGIN.left} x2={width - MARGIN.right} />
              <text x={MARGIN.left - 8} dy="0.32em" textAnchor="end">
                {format(tick * unit)}
              </text>
            </g>
          ))}
          {namedSlots(slots, inner).map((slot) => (
            <text key={slot} x={left(slot) + slotWidth / 2} y={HEIGHT - 6} textAnchor={anchor(slot, slots.length)}>
              {slots[slot]?.name}
            </text>
          ))}
          {pointed !== null && (
            <rect
              className="pointed"
              x={left(pointed)}
              y={MARGIN.top}
              width={slotWidth}
              height={HEIGHT - MARGIN.top - MARGIN.bottom}
            />
          )}
          {draw({ left, top: (value) => scale(value / unit), slotWidth })}
          {slots.map(({ id, orders }, slot) => (
            <rect
              key={id}
              className={orders ? 'area link' : 'area'}
              x={left(slot)}
              y={0}
              width={slotWidth}
              height={HEIGHT - MARGIN.bottom}
              onPointerEnter={() => point(slot)}
              {...(orders && { onClick: () => void navigate({ to: '/orders', search: orders }) })}
            />
          ))}
        </svg>
      )}
    </div>
  );
}

// The last name would stick out to the right.
const anchor = (slot: number, slots: number) => (slot === slots - 1 && slots > 7 ? 'end' : 'middle');
