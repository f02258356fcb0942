/** The version is the first path segment; there is only one. */
const ROOT = '/2';

/** Whether a target (path and query, without the path of PUBLIC_URL) belongs to the public discovery API. */
export function isDiscovery(target: string): boolean {
  return target.startsWith(`${ROOT}/`) || target === ROOT || target.startsWith(`${ROOT}?`);
}

/** Clients of such an API may end a path with a slash. The router is strict, because the other surfaces need that. */
export function withoutTrailingSlash(target: string): string {
  const query = target.indexOf('?');
  const end = query < 0 ? target.length : query;
  return end > 1 && target[end - 1] === '/' ? target.slice(0, end - 1) + target.slice(end) : target;
}
