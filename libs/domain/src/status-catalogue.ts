import type { Status, StatusValue } from './status.js';
import { eventsOfStatus, type StatusEventType } from './order-events.js';

/** The statuses that the order rules set. Staff set all others. */
export type StatusRole =
  | 'pending_confirmation'
  | 'manual_review'
  | 'confirmed'
  | 'shipped'
  | 'delivered_electronically'
  | 'broker_did_not_respond'
  | 'technical_rejection'
  | 'technical_exception';

/** The event records the change to the status. */
export type CatalogueEntry = Readonly<{
  status: Status;
  event: StatusEventType;
  /** What the button says that sets it, e.g. `Confirm`. Null for statuses that need no button of their own. */
  label: string | null;
}>;

/** The integration supplies the statuses and transitions. Willcall validates them at start. */
export type StatusCatalogue = Readonly<{
  version: number;
  entries: readonly CatalogueEntry[];
  entry(statusCode: number): CatalogueEntry | undefined;
  role(role: StatusRole): CatalogueEntry;
  allows(from: StatusValue, to: StatusValue): boolean;
}>;

const STATUS_OF_ROLE: Readonly<Record<StatusRole, StatusValue>> = {
  pending_confirmation: 'pending',
  manual_review: 'pending',
  confirmed: 'confirmed',
  shipped: 'confirmed',
  delivered_electronically: 'confirmed',
  broker_did_not_respond: 'rejected',
  technical_rejection: 'rejected',
  technical_exception: 'exception',
};

/** The event type of each role. It decides whether tickets count as sent and whether a person reviews the order. */
const EVENT_OF_ROLE: Partial<Readonly<Record<StatusRole, StatusEventType>>> = {
  manual_review: 'OrderHeldForReview',
  shipped: 'TicketsShipped',
  delivered_electronically: 'TicketsDelivered',
};

const LABEL_OF_ROLE: Partial<Readonly<Record<StatusRole, string>>> = {
  confirmed: 'Confirm',
  shipped: 'Ship',
  delivered_electronically: 'Deliver',
};

export const STATUS_ROLES = Object.keys(STATUS_OF_ROLE) as readonly StatusRole[];

/** The shape is already checked. `status-catalogue.json` beside this file is an example. */
export type StatusCatalogueFile = Readonly<{
  version: number;
  statuses: readonly CatalogueFileStatus[];
  transitions: Readonly<Record<StatusValue, readonly StatusValue[]>>;
  roles: Readonly<Record<StatusRole, number>>;
}>;

/** Without `event` it uses the event of its role, or without a role the plain event of its status (`OrderPending`, …). */
type CatalogueFileStatus = Status & Readonly<{ event?: string | null | undefined; label?: string | null | undefined }>;

/** A broken rule. `path` leads to the value in the file: `['statuses', 3, 'event']`, `['roles', 'shipped']`. */
export type CatalogueIssue = Readonly<{ path: readonly [string, ...(string | number)[]]; message: string }>;

/** The rules between the entries. The shape is already checked. */
export function catalogueIssues({ statuses, roles }: Omit<StatusCatalogueFile, 'version'>): CatalogueIssue[] {
  const codes = statuses.map(({ status_code: code }) => code);
  const pairs = statuses.map(({ status, status_message: message }) => `${status} ${message}`);
  const statusOf = new Map(statuses.map(({ status_code: code, status }) => [code, status]));
  return [
    ...statuses.flatMap(({ status_code: code, status, status_message: message, event }, index): CatalogueIssue[] => {
      const events = eventsOfStatus(status);
      const at = (field: string, message: string): CatalogueIssue => ({ path: ['statuses', index, field], message });
      return [
        ...(codes.indexOf(code) < index ? [at('status_code', 'the code is there twice')] : []),
        ...(message.trim() === '' ? [at('status_message', 'must not be empty')] : []),
        ...(pairs.indexOf(pairs[index] ?? '') < index
          ? [at('status_message', 'another code has the same status and message')]
          : []),
        ...(typeof event === 'string' && !events.some((known) => known === event)
          ? [at('event', `event must be one of ${events.join(', ')}`)]
          : []),
      ];
    }),
    ...STATUS_ROLES.filter((role) => statusOf.get(roles[role]) !== STATUS_OF_ROLE[role]).map(
      (role): CatalogueIssue => ({ path: ['roles', role], message: roleIssue(role) }),
    ),
  ];
}

export function roleIssue(role: StatusRole): string {
  return `${role} must be the code of a status that is ${STATUS_OF_ROLE[role]}`;
}

/** Statuses are named by their code, which people find in the file, and not by their place. */
function described({ path: [part, index], message }: CatalogueIssue, { statuses }: StatusCatalogueFile): string {
  return part === 'statuses' ? `status ${statuses[Number(index)]?.status_code}: ${message}` : `${part}: ${message}`;
}

/** @throws Error with the rules that the file breaks */
export function statusCatalogue(file: StatusCatalogueFile): StatusCatalogue {
  const issues = catalogueIssues(file).map((issue) => described(issue, file));
  if (issues.length > 0) throw new Error(`The status catalogue is invalid:\n- ${issues.join('\n- ')}`);
  const { version, statuses, transitions, roles } = file;
  const eventOfCode = new Map(STATUS_ROLES.map((role) => [roles[role], EVENT_OF_ROLE[role]]));
  const entries = new Map<number, CatalogueEntry>();
  const labelOfCode = new Map(STATUS_ROLES.map((role) => [roles[role], LABEL_OF_ROLE[role]]));
  for (const { status, status_message, status_code, event, label } of statuses) {
    const [plain, ...others] = eventsOfStatus(status);
    const named = event ?? eventOfCode.get(status_code);
    const recordedAs = others.find((known) => known === named) ?? plain;
    if (!recordedAs) continue;
    entries.set(status_code, {
      status: { status, status_message, status_code },
      event: recordedAs,
      label: label ?? labelOfCode.get(status_code) ?? null,
    });
  }
  return {
    version,
    entries: [...entries.values()],
    entry: (code) => entries.get(code),
    role: (role) => entries.get(roles[role]) as CatalogueEntry,
    allows: (from, to) => transitions[from].includes(to),
  };
}
