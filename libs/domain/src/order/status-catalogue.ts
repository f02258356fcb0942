import { type Status, STATUS_VALUES, type StatusValue } from '../status.js';
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

/** A status of an order, and the event that records the change to it. */
export type CatalogueEntry = Readonly<{ status: Status; event: StatusEventType }>;

/** All statuses and their allowed transitions. The integration supplies them, and Willcall validates them at start. */
export type StatusCatalogue = Readonly<{
  version: number;
  /** All entries, in the order of the file. */
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

// The database stores codes as int.
const MAX_CODE = 2 ** 31 - 1;

/** All roles. A catalogue must fill each one. */
export const STATUS_ROLES = Object.keys(STATUS_OF_ROLE) as readonly StatusRole[];

/**
 * Builds the catalogue from its parsed JSON file (for the shape see `status-catalogue.json` beside this file). An entry without
 * `event` uses the event of its role, or without a role the plain event of its status (`OrderPending`, …).
 * @throws Error that lists everything wrong with the file.
 */
export function parseStatusCatalogue(file: unknown): StatusCatalogue {
  const issues: string[] = [];
  const { version, statuses, transitions, roles } = record(file);
  if (!Number.isInteger(version)) issues.push('version must be an integer');
  const entries = parseEntries(statuses, record(roles), issues);
  const follow = parseTransitions(transitions, issues);
  const rolesFound = parseRoles(roles, entries, issues);
  if (issues.length > 0) throw new Error(`The status catalogue is faulty:\n- ${issues.join('\n- ')}`);
  return {
    version: version as number,
    entries: [...entries.values()],
    entry: (code) => entries.get(code),
    role: (role) => rolesFound[role],
    allows: (from, to) => follow[from].includes(to),
  };
}

function parseEntries(
  statuses: unknown,
  roles: Record<string, unknown>,
  issues: string[],
): Map<number, CatalogueEntry> {
  const ofRoles = new Map(Object.entries(EVENT_OF_ROLE).map(([role, event]) => [roles[role], event]));
  const entries = new Map<number, CatalogueEntry>();
  const pairs = new Set<string>();
  if (!Array.isArray(statuses)) issues.push('statuses must be an array');
  for (const item of Array.isArray(statuses) ? statuses : []) {
    const { status_code: code, status, status_message: message, event } = record(item);
    const name = `status ${String(code)}`;
    if (!isCode(code)) issues.push(`${name}: status_code must be an integer from 0 to ${MAX_CODE}`);
    if (entries.has(code as number)) issues.push(`${name}: the code is there twice`);
    if (!isStatusValue(status)) {
      issues.push(`${name}: status must be one of ${STATUS_VALUES.join(', ')}`);
      continue;
    }
    if (typeof message !== 'string' || message === '') issues.push(`${name}: status_message must be a text`);
    if (pairs.has(`${status} ${String(message)}`)) issues.push(`${name}: another code has the same status and message`);
    pairs.add(`${status} ${String(message)}`);
    const events = eventsOfStatus(status);
    const fitting = events.find((known) => known === ofRoles.get(code));
    const recordedAs = (event ?? fitting ?? events[0]) as StatusEventType;
    if (!events.includes(recordedAs)) issues.push(`${name}: event must be one of ${events.join(', ')}`);
    const entry = { status, status_message: message as string, status_code: code as number };
    entries.set(code as number, { status: entry, event: recordedAs });
  }
  return entries;
}

function parseTransitions(transitions: unknown, issues: string[]): Record<StatusValue, readonly StatusValue[]> {
  const given = record(transitions);
  for (const name of Object.keys(given)) {
    if (!isStatusValue(name)) issues.push(`transitions: ${name} is not a status`);
  }
  const follow = {} as Record<StatusValue, readonly StatusValue[]>;
  for (const from of STATUS_VALUES) {
    const to = given[from];
    if (!Array.isArray(to) || !to.every(isStatusValue)) issues.push(`transitions: ${from} must list statuses`);
    else follow[from] = to;
  }
  return follow;
}

function parseRoles(
  roles: unknown,
  entries: ReadonlyMap<number, CatalogueEntry>,
  issues: string[],
): Record<StatusRole, CatalogueEntry> {
  const given = record(roles);
  const found = {} as Record<StatusRole, CatalogueEntry>;
  for (const role of STATUS_ROLES) {
    const entry = entries.get(given[role] as number);
    if (entry?.status.status === STATUS_OF_ROLE[role]) found[role] = entry;
    else issues.push(`roles: ${role} must be the code of a status that is ${STATUS_OF_ROLE[role]}`);
  }
  return found;
}

function isCode(code: unknown): boolean {
  return typeof code === 'number' && Number.isInteger(code) && code >= 0 && code <= MAX_CODE;
}

function isStatusValue(value: unknown): value is StatusValue {
  return STATUS_VALUES.includes(value as StatusValue);
}

function record(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
