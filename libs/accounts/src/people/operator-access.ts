import type { ClientBase } from 'pg';

/** In the transaction in which an actor gives an operator a way in. For a day the two count as one person: see same-person.ts. */
export async function noteAccess(
  client: ClientBase,
  { operator, by, at }: Readonly<{ operator: string; by: string; at: string }>,
): Promise<void> {
  if (by !== `operator:${operator}`) await client.query(NOTE_ACCESS, [operator, by, at]);
}

const NOTE_ACCESS = `
  insert into operator_access (operator_id, given_by, given_at) values ($1, $2, $3)
  on conflict (operator_id, given_by) do update set given_at = excluded.given_at`;
