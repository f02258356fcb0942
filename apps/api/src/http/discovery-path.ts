/** The version is the first segment of the path; there is no other. */
const ROOT = '/2';

/** Whether a target (path and query, without the path of PUBLIC_URL) is of the public discovery API. */
export function isDiscovery(target: string): boolean {
  return target.startsWith(`${ROOT}/`) || target === ROOT || target.startsWith(`${ROOT}?`);
}

/** Clients of such an API end its paths with a slash or not; the router takes that strictly, as the other surfaces need it. */
export function withoutTrailingSlash(target: string): string {
  const query = target.indexOf('?');
  const end = query < 0 ? target.length : query;
  return end > 1 && target[end - 1] === '/' ? target.slice(0, end - 1) + target.slice(end) : target;
}
