/** Where a list by due time goes on: after this entry. `dueAt` is ISO 8601, or `infinity` without a due time. */
export type DueCursor = Readonly<{ dueAt: string; id: string }>;

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export function dueCursor({ due_at, id }: Readonly<{ due_at: string | null; id: string }>): string {
  return Buffer.from(`${due_at ?? 'infinity'} ${id}`).toString('base64url');
}

/** Undefined for what is no cursor. */
export function readDueCursor(text: string): DueCursor | undefined {
  const [, dueAt, id] = /^(\S+) (.+)$/s.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (dueAt === undefined || id === undefined) return undefined;
  const isInstant = INSTANT.test(dueAt) && !Number.isNaN(Date.parse(dueAt));
  return isInstant || dueAt === 'infinity' ? { dueAt, id } : undefined;
}
