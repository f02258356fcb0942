/** Returns `Retry-After` (RFC 9110, 10.2.3: seconds or a date) in milliseconds from `now`; undefined without one. */
export function retryAfterMs({ headers }: Response, now: number): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // Date.parse alone accepts "2", "May" and much else as a date.
  const at = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
