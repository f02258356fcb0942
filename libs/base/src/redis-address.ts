type RedisNode = Readonly<{ host: string; port: number }>;
type RedisLogin = Readonly<{ username?: string; password?: string }>;

/** Where Redis is: one server, the master that Sentinels name, or a cluster. */
export type RedisAddress =
  | Readonly<{ kind: 'server'; url: string }>
  | Readonly<{
      kind: 'sentinel';
      sentinels: RedisNode[];
      master: string;
      db: number;
      tls: boolean;
      login: RedisLogin;
      /** Of the Sentinels, which may have another one than the servers, or none. */
      sentinelLogin: RedisLogin;
    }>
  | Readonly<{ kind: 'cluster'; nodes: RedisNode[]; tls: boolean; login: RedisLogin }>;

const SEVERAL =
  /^redis(?<tls>s?)\+(?<kind>sentinel|cluster):\/\/(?:(?<login>[^@/?#]*)@)?(?<nodes>[^@/?#]+)(?<path>\/[^?#]*)?(?:\?(?<query>[^#]*))?$/;
const MASTER = /^\/([\w.-]+)(?:\/(\d{1,4}))?$/;
const SENTINEL_PORT = 26_379;
const REDIS_PORT = 6_379;

/**
 * Reads `redis://…`, `rediss://…`, `redis+sentinel://user:password@host:port,host:port/master` and
 * `redis+cluster://user:password@host:port,host:port`. With `rediss` all connections use TLS. The Sentinels' own login is in
 * `?sentinel_username=…&sentinel_password=…`, and the number of a database follows the master's name.
 * @returns undefined for anything else
 */
export function redisAddress(text: string): RedisAddress | undefined {
  const { tls, kind, login, nodes, path, query } = SEVERAL.exec(text)?.groups ?? {};
  if (kind === undefined)
    return /^rediss?:\/\//i.test(text) && URL.canParse(text) ? { kind: 'server', url: text } : undefined;
  const defaultPort = kind === 'sentinel' ? SENTINEL_PORT : REDIS_PORT;
  const parsed = (nodes ?? '').split(',').map((node) => nodeOf(node, defaultPort));
  const found = parsed.filter((node) => node !== undefined);
  const user = loginOf(login);
  if (found.length < parsed.length || user === undefined) return undefined;
  const common = { tls: tls === 's', login: user };
  if (kind === 'cluster') {
    return (path ?? '/') === '/' && query === undefined ? { kind, nodes: found, ...common } : undefined;
  }
  const [, master, db = '0'] = MASTER.exec(path ?? '') ?? [];
  const sentinelLogin = sentinelLoginOf(query);
  if (master === undefined || sentinelLogin === undefined) return undefined;
  return { kind: 'sentinel', sentinels: found, master, db: Number(db), sentinelLogin, ...common };
}

function nodeOf(text: string, defaultPort: number): RedisNode | undefined {
  const [, ipv6, name, port = `${defaultPort}`] = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = ipv6 ?? name;
  const isPort = Number(port) > 0 && Number(port) < 65_536;
  return host !== undefined && isPort ? { host, port: Number(port) } : undefined;
}

function loginOf(text: string | undefined): RedisLogin | undefined {
  if (text === undefined) return {};
  const [username, password, ...rest] = text.split(':');
  return rest.length === 0 ? loginWith(decoded(username), decoded(password)) : undefined;
}

/** As in other addresses, `%3A` stands for a colon. */
function decoded(text = ''): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function loginWith(username: string | undefined, password: string | undefined): RedisLogin | undefined {
  if (username === undefined || password === undefined) return undefined;
  return { ...(username && { username }), ...(password && { password }) };
}

const OPTIONS = ['sentinel_username', 'sentinel_password'];

function sentinelLoginOf(query = ''): RedisLogin | undefined {
  const options = new URLSearchParams(query);
  if ([...options.keys()].some((name) => !OPTIONS.includes(name))) return undefined;
  return loginWith(options.get('sentinel_username') ?? '', options.get('sentinel_password') ?? '');
}
