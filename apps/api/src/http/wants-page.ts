import type { FailedRequest } from './written-error.js';

/** Whether a browser opens the address: it names `text/html`. Programs accept JSON or anything. */
export function wantsPage({ method, headers }: FailedRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const ranges = (headers.accept ?? '').toLowerCase().split(',');
  const accepted = ranges.map((range) => range.split(';').map((part) => part.trim()));
  const isAccepted = (type: string) =>
    accepted.some(([name, ...parameters]) => name === type && !parameters.some((one) => /^q=0(?:\.0*)?$/.test(one)));
  return isAccepted('text/html') && !isAccepted('application/json');
}
