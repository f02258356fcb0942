const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const dollarFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const countFormat = new Intl.NumberFormat('en-US');
const percentFormat = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

/** @param day e.g. `2026-11-23` */
export const dayName = (day: string): string => dayFormat.format(new Date(day));

export const count = (value: number): string => countFormat.format(value);

export const dollars = (value: number): string => dollarFormat.format(value);

/** @param share 0 to 1 */
export const percent = (share: number | null): string => (share === null ? '–' : percentFormat.format(share));

/** The two largest units that say something, e.g. `3 min 20 s`. */
export function duration(seconds: number | null): string {
  if (seconds === null) return '–';
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  if (hours > 0) return `${count(hours)} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}
