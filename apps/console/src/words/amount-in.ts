/** The amount that somebody has typed, such as `12.50`. Undefined if it is none above 0. */
export function amountIn(text: string): number | undefined {
  const value = /^\d+(\.\d{1,2})?$/.test(text.trim()) ? Number(text) : 0;
  return value > 0 ? value : undefined;
}
