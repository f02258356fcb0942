/** The result of one check; `advice` says what to do about it. */
export type Finding = Readonly<{
  check: string;
  state: 'ok' | 'warn' | 'fail';
  detail: string;
  advice?: string;
}>;

export function ok(check: string, detail: string): Finding {
  return { check, state: 'ok', detail };
}

export function warn(check: string, detail: string, advice: string): Finding {
  return { check, state: 'warn', detail, advice };
}

export function fail(check: string, detail: string, advice: string): Finding {
  return { check, state: 'fail', detail, advice };
}
