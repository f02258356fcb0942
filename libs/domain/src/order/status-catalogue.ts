import type { Status, StatusValue } from '../status.js';
import type { StatusEventType } from './order-events.js';

/** The codes that the order's own rules need; everything else in the catalogue is set by staff. */
export type StatusRole =
  | 'pending_confirmation'
  | 'manual_review'
  | 'confirmed'
  | 'shipped'
  | 'delivered_electronically'
  | 'broker_did_not_respond'
  | 'technical_rejection'
  | 'technical_exception';

/** A status an order can have, and the event that records an order's coming to it. */
export type CatalogueEntry = Readonly<{ status: Status; event: StatusEventType }>;

/** Which statuses there are and which may follow which: data of the integration, validated at start. */
export type StatusCatalogue = Readonly<{
  version: number;
  /** All of them, in the order of the file. */
  entries: readonly CatalogueEntry[];
  entry(statusCode: number): CatalogueEntry | undefined;
  role(role: StatusRole): CatalogueEntry;
  allows(from: StatusValue, to: StatusValue): boolean;
}>;

const EVENTS_OF: Readonly<Record<StatusValue, readonly [StatusEventType, ...StatusEventType[]]>> = {
  pending: ['OrderPending', 'OrderHeldForReview'],
  confirmed: ['OrderConfirmed', 'TicketsShipped', 'TicketsDelivered', 'ReplacementAccepted'],
  rejected: ['OrderRejected', 'ReplacementRejected'],
  exception: ['OrderExceptionRaised', 'ReplacementOffered'],
};

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

/** What an entry of a role is recorded as: whether tickets have gone out, or a person looks, depends on it. */
const EVENT_OF_ROLE: Partial<Readonly<Record<StatusRole, StatusEventType>>> = {
  manual_review: 'OrderHeldForReview',
  shipped: 'TicketsShipped',
  delivered_electronically: 'TicketsDelivered',
};

// Codes are kept in a Postgres int.
const LARGEST_CODE = 2 ** 31 - 1;

/** Every role that a catalogue has to fill. */
export const STATUS_ROLES = Object.keys(STATUS_OF_ROLE) as readonly StatusRole[];

const STATUS_VALUES = Object.keys(EVENTS_OF) as StatusValue[];

/**
 * The catalogue from the parsed JSON of its file (shape: `status-catalogue.json` beside this file).
 * An entry without `event` is recorded as the event of its role, or else as its status' plain event (`OrderPending`, …).
 * @throws Error that names every fault of the file at once.
 */
export function parseStatusCatalogue(file: unknown): StatusCatalogue {
  const faults: string[] = [];
  const { version, statuses, transitions, roles } = record(file);
  if (!Number.isInteger(version)) faults.push('version must be an integer');
  const entries = parseEntries(statuses, record(roles), faults);
  const follow = parseTransitions(transitions, faults);
  const rolesFound = parseRoles(roles, entries, faults);
  if (faults.length > 0) throw new Error(`The status catalogue is faulty:\n- ${faults.join('\n- ')}`);
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
  faults: string[],
): Map<number, CatalogueEntry> {
  const ofRoles = new Map(Object.entries(EVENT_OF_ROLE).map(([role, event]) => [roles[role], event]));
  const entries = new Map<number, CatalogueEntry>();
  const pairs = new Set<string>();
  if (!Array.isArray(statuses)) faults.push('statuses must be an array');
  for (const item of Array.isArray(statuses) ? statuses : []) {
    const { status_code: code, status, status_message: message, event } = record(item);
    const name = `status ${String(code)}`;
    if (!isCode(code)) faults.push(`${name}: status_code must be an integer from 0 to ${LARGEST_CODE}`);
    if (entries.has(code as number)) faults.push(`${name}: the code is there twice`);
    if (!isStatusValue(status)) {
      faults.push(`${name}: status must be one of ${STATUS_VALUES.join(', ')}`);
      continue;
    }
    if (typeof message !== 'string' || message === '') faults.push(`${name}: status_message must be a text`);
    if (pairs.has(`${status} ${String(message)}`)) faults.push(`${name}: another code has the same status and message`);
    pairs.add(`${status} ${String(message)}`);
    const fitting = EVENTS_OF[status].find((known) => known === ofRoles.get(code));
    const recordedAs = (event ?? fitting ?? EVENTS_OF[status][0]) as StatusEventType;
    if (!EVENTS_OF[status].includes(recordedAs)) {
      faults.push(`${name}: event must be one of ${EVENTS_OF[status].join(', ')}`);
    }
    const entry = { status, status_message: message as string, status_code: code as number };
    entries.set(code as number, { status: entry, event: recordedAs });
  }
  return entries;
}

function parseTransitions(transitions: unknown, faults: string[]): Record<StatusValue, readonly StatusValue[]> {
  const given = record(transitions);
  for (const name of Object.keys(given)) {
    if (!isStatusValue(name)) faults.push(`transitions: ${name} is not a status`);
  }
  const follow = {} as Record<StatusValue, readonly StatusValue[]>;
  for (const from of STATUS_VALUES) {
    const to = given[from];
    if (!Array.isArray(to) || !to.every(isStatusValue)) faults.push(`transitions: ${from} must list statuses`);
    else follow[from] = to;
  }
  return follow;
}

function parseRoles(
  roles: unknown,
  entries: ReadonlyMap<number, CatalogueEntry>,
  faults: string[],
): Record<StatusRole, CatalogueEntry> {
  const given = record(roles);
  const found = {} as Record<StatusRole, CatalogueEntry>;
  for (const role of STATUS_ROLES) {
    const entry = entries.get(given[role] as number);
    if (entry?.status.status === STATUS_OF_ROLE[role]) found[role] = entry;
    else faults.push(`roles: ${role} must be the code of a status that is ${STATUS_OF_ROLE[role]}`);
  }
  return found;
}

function isCode(code: unknown): boolean {
  return typeof code === 'number' && Number.isInteger(code) && code >= 0 && code <= LARGEST_CODE;
}

function isStatusValue(value: unknown): value is StatusValue {
  return STATUS_VALUES.includes(value as StatusValue);
}

function record(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
