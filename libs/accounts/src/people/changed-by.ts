import type { ClientBase } from 'pg';

/** Who changes an account. */
export type ChangedBy = Readonly<{
  actor: string;
  /** The digest of the session in which somebody does. If it is the person, it does not end. */
  session?: Buffer;
}>;

/** Whether the person does. */
export const isSelf = (operatorId: string, { actor }: ChangedBy): boolean => actor === `operator:${operatorId}`;

export async function endSessions(client: ClientBase, operatorId: string, except?: Buffer): Promise<void> {
  await client.query('delete from sessions where operator_id = $1 and digest is distinct from $2', [
    operatorId,
    except ?? null,
  ]);
}
