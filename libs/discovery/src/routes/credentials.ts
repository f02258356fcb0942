import type { KeyCredentials } from '#accounts/discovery-keys';
import type { Query } from './query-string.js';

const BASIC = /^basic +([\w+/=-]+) *$/i;

/** The key in the query of a request, else in its HTTP Basic header. An empty secret counts as none. */
export function credentialsOf(query: Query, authorization: string | undefined): KeyCredentials | undefined {
  const clientId = query.get('client_id')?.[0];
  if (clientId) return { clientId, secret: query.get('client_secret')?.[0] || undefined };
  const [, encoded] = BASIC.exec(authorization ?? '') ?? [];
  return encoded === undefined ? undefined : parseBasic(Buffer.from(encoded, 'base64').toString('utf8'));
}

/** Accepts `id:secret`, `id:` and `id`, because clients send all three. */
function parseBasic(pair: string): KeyCredentials | undefined {
  const colon = pair.indexOf(':');
  const clientId = colon < 0 ? pair : pair.slice(0, colon);
  if (clientId === '') return undefined;
  return { clientId, secret: colon < 0 ? undefined : pair.slice(colon + 1) || undefined };
}
