import { type Permission, PERMISSIONS } from './permission.contract.js';

/** Who makes a back-office request: a person by a session, or a program by a token. */
export type Caller = Readonly<{
  kind: 'operator' | 'token';
  /** `operator:<id>` or `token:<id>`, as events and the audit log name who did something. */
  actor: string;
  permissions: readonly Permission[];
  /** The sellers whose orders and listings a broker sees. Null for everybody who sees all. */
  sellers: readonly string[] | null;
  /** The digest of the operator's session. */
  session?: Buffer;
  /** When the operator last proved who they are. A program is not asked. */
  provenAt?: Date;
}>;

/** Who reads a stream, by a token or a session that may end while the reader is connected. */
export type StreamOwner = Readonly<{
  id: string;
  /** Whose readers share their places; without one they are those of `id`. */
  person?: string;
  isValid: () => Promise<boolean>;
}>;

/** The setting BACKOFFICE_TOKEN: an administrator's token for automation. */
export const ADMINISTRATOR_TOKEN: Caller = {
  kind: 'token',
  actor: 'token:backoffice',
  permissions: PERMISSIONS,
  sellers: null,
};

/** Programs with `orders:reveal` read personal data in clear. People, administrators too, reveal it order by order. */
export function readsPersonalData({ kind, permissions }: Caller): boolean {
  return kind === 'token' && permissions.includes('orders:reveal');
}

/** Undefined for a token. */
export function operatorIdOf({ kind, actor }: Caller): string | undefined {
  return kind === 'operator' ? actor.slice('operator:'.length) : undefined;
}
