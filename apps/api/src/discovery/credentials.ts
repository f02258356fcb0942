import type { KeyCredentials } from '#platform-auth/discovery-keys';
import type { Query } from './query-string.js';

const BASIC = /^basic +([\w+/=-]+) *$/i;

/** The key that a request names, by its query or else by HTTP Basic. An empty secret is none. */
export function credentialsOf(query: Query, authorization: string | undefined): KeyCredentials | undefined {
  const clientId = query.get('client_id')?.[0];
  if (clientId) return { clientId, secret: query.get('client_secret')?.[0] || undefined };
  const [, encoded] = BASIC.exec(authorization ?? '') ?? [];
  return encoded === undefined ? undefined : ofBasic(Buffer.from(encoded, 'base64').toString('utf8'));
}

/** `id:secret`, and as clients send it also `id:` and `id`. */
function ofBasic(pair: string): KeyCredentials | undefined {
  const colon = pair.indexOf(':');
  const clientId = colon < 0 ? pair : pair.slice(0, colon);
  if (clientId === '') return undefined;
  return { clientId, secret: colon < 0 ? undefined : pair.slice(colon + 1) || undefined };
}
