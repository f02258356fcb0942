export type StreamFilter = Readonly<{
  status?: readonly string[] | undefined;
  status_code?: readonly number[] | undefined;
  event_id?: readonly string[] | undefined;
  listing_id?: readonly string[] | undefined;
  client_id?: readonly string[] | undefined;
}>;

export type StreamKeys = Readonly<{
  status: string;
  status_code: number;
  event_id: string;
  listing_id: string;
  client_id: string;
}>;

export type Matches = (entry: StreamKeys) => boolean;

const ARRAYS = {
  status: 'text[]',
  status_code: 'int[]',
  event_id: 'text[]',
  listing_id: 'text[]',
  client_id: 'text[]',
} as const satisfies Record<keyof StreamKeys, string>;

const NAMES = Object.keys(ARRAYS) as (keyof StreamKeys)[];

/** The SQL conditions begin with `and`. Appends their parameters to `values`. */
export function conditionsOf(filter: StreamFilter, values: unknown[]): string {
  return given(filter)
    .map((name) => ` and ${name} = any($${values.push(filter[name])}::${ARRAYS[name]})`)
    .join('');
}

export function matcherOf(filter: StreamFilter): Matches {
  const sets = given(filter).map((name) => [name, new Set<string | number>(filter[name])] as const);
  return (entry) => sets.every(([name, wanted]) => wanted.has(entry[name]));
}

/** Returns the same key for filters with the same values, in any order. */
export function filterKey(filter: StreamFilter): string {
  return JSON.stringify(given(filter).map((name) => [name, [...new Set((filter[name] ?? []).map(String))].sort()]));
}

export function hasFilter(filter: StreamFilter): boolean {
  return given(filter).length > 0;
}

function given(filter: StreamFilter): (keyof StreamKeys)[] {
  return NAMES.filter((name) => filter[name] !== undefined);
}
