import type { FailedRequest } from './written-error.js';

const BY_BROWSERS: readonly (string | undefined)[] = ['GET', 'HEAD', 'POST'];

/** Whether a browser opens the address or sends a form to it: it names `text/html`. Programs accept JSON or anything. */
export function wantsPage({ method, headers }: FailedRequest): boolean {
  if (!BY_BROWSERS.includes(method)) return false;
  const ranges = (headers.accept ?? '').toLowerCase().split(',');
  const accepted = ranges.map((range) => range.split(';').map((part) => part.trim()));
  const isAccepted = (type: string) =>
    accepted.some(([name, ...parameters]) => name === type && !parameters.some((one) => /^q=0(?:\.0*)?$/.test(one)));
  return isAccepted('text/html') && !isAccepted('application/json');
}
