const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/** A length of time in the two largest units that say something: `420 ms`, `42 s`, `3 min 20 s`, `5 h 12 min`, `2 days 4 h`. */
export function durationText(seconds: number): string {
  if (seconds === 0) return '0';
  if (seconds < 1) return `${Math.round(seconds * 1_000)} ms`;
  const whole = Math.round(seconds);
  if (whole < MINUTE_S) return `${seconds < 10 ? Math.round(seconds * 10) / 10 : whole} s`;
  if (whole < HOUR_S) return pair(whole, MINUTE_S, 'min', 1, 's');
  if (whole < DAY_S) return pair(whole, HOUR_S, 'h', MINUTE_S, 'min');
  return pair(whole, DAY_S, whole < 2 * DAY_S ? 'day' : 'days', HOUR_S, 'h');
}

/** The unit in seconds that suits lengths of time up to this one. */
export function durationUnit(most: number): number {
  return [DAY_S, HOUR_S, MINUTE_S, 1].find((unit) => most >= 2 * unit) ?? 0.001;
}

const UNITS: Readonly<Record<number, string>> = { [DAY_S]: 'd', [HOUR_S]: 'h', [MINUTE_S]: 'min', 1: 's' };

/** Short and in one unit, for an axis: `1.5 h`. */
export function durationIn(unit: number): (seconds: number) => string {
  return (seconds) => (seconds === 0 ? '0' : `${Math.round((seconds / unit) * 100) / 100} ${UNITS[unit] ?? 'ms'}`);
}

function pair(seconds: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((seconds % large) / small);
  return `${Math.floor(seconds / large)} ${largeName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
}
