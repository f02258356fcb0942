import type { StatusCataloguePreview, StatusCatalogueSource } from '#orders/status-catalogue.contract';
import { ApiError } from '../../api/api-error.js';
import { statusesWords as words } from './statuses-words.js';
import { isObject } from '../../api/is-object.js';
import { keysOf, recordOf } from '../../api/keys-of.js';
import { INVALID_FIELD } from '../../api/error-codes.js';
import { wordFor } from '../../words/word-for.js';

type Group = StatusCatalogueSource['statuses'][number]['status'];
type Role = keyof StatusCatalogueSource['roles'];

export const GROUPS = keysOf(words.name);
export const ROLES = keysOf(words.role);

/** A status as it is typed. An empty `event` or `label` is the usual one. */
export type DraftRow = Readonly<{
  key: number;
  status_code: string;
  status: Group;
  status_message: string;
  event: string;
  label: string;
}>;

export type Draft = Readonly<{
  rows: readonly DraftRow[];
  transitions: Readonly<Record<Group, readonly Group[]>>;
  roles: Readonly<Record<Role, string>>;
}>;

export function draftOf({ statuses, transitions, roles }: StatusCatalogueSource): Draft {
  return {
    rows: statuses.map(({ status_code: code, status, status_message: message, event, label }, key) => ({
      key,
      status_code: String(code),
      status,
      status_message: message,
      event: event ?? '',
      label: label ?? '',
    })),
    transitions,
    roles: recordOf(ROLES, (role) => String(roles[role])),
  };
}

export function bodyOf({ rows, transitions, roles }: Draft) {
  return {
    statuses: rows.map(({ status_code: code, status, status_message: message, event, label }) => ({
      status_code: codeOf(code),
      status,
      status_message: message.trim(),
      ...(event !== '' && { event }),
      ...(label.trim() !== '' && { label: label.trim() }),
    })),
    transitions,
    roles: recordOf(ROLES, (role) => codeOf(roles[role])),
  };
}

/** JSON has null for NaN, and the server says so at the field. */
const codeOf = (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : NaN);

/** A changed code stays the code of its roles. */
export function withRow(draft: Draft, changed: DraftRow): Draft {
  const before = draft.rows.find(({ key }) => key === changed.key);
  return {
    ...draft,
    rows: draft.rows.map((row) => (row.key === changed.key ? changed : row)),
    roles: recordOf(ROLES, (role) =>
      draft.roles[role] === before?.status_code ? changed.status_code : draft.roles[role],
    ),
  };
}

export function withNewRow(draft: Draft): Draft {
  const key = Math.max(-1, ...draft.rows.map((row) => row.key)) + 1;
  const row: DraftRow = { key, status_code: '', status: 'exception', status_message: '', event: '', label: '' };
  return { ...draft, rows: [...draft.rows, row] };
}

/** What the server says about each field, by its path: `{ 'statuses.3.event': 'Event must be one of …' }`. */
export function faultsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError) || !error.has(INVALID_FIELD)) return {};
  const parts = error.messages.flatMap((message) => message.replace(/^[^:]*: /, '').split('; '));
  const found: Record<string, string> = {};
  for (const part of parts) {
    const [, path = '', text = ''] = /^((?:statuses|roles|transitions)[\w.]*): (.+)$/.exec(part) ?? [];
    // Which of the statuses that may follow is wrong cannot be seen on the page.
    const field = path.startsWith('transitions') ? path.split('.').slice(0, 2).join('.') : path;
    const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
    // Statuses that were removed have no field any more.
    if (field === 'statuses') found[field] = `${found[field] ?? ''} ${sentence}.`.trim();
    else if (field !== '') found[field] ??= sentence;
  }
  return found;
}

type Change = StatusCataloguePreview['changes'][number];

const FIELDS: Readonly<Record<string, string>> = {
  status: words.group,
  status_message: words.message,
  event: words.event,
  label: words.label,
};

/** Each change as a sentence; several to what may follow one status are one. */
export function changeTexts(changes: readonly Change[]): string[] {
  return [...new Set(changes.map(changeText))];
}

function changeText({ path, before, after }: Change): string {
  const [, part, name = '', field] = path.split('/');
  if (part === 'transitions') return words.change.transition(wordFor(words.name, name) ?? name);
  if (part === 'roles') return words.change.role(wordFor(words.role, name) ?? name, String(before), String(after));
  if (field !== undefined) {
    return words.change.status(name, FIELDS[field] ?? field, textOf(before), textOf(after));
  }
  if (after === null) return words.change.removed(name, messageOf(before));
  return words.change.added(name, messageOf(after));
}

const messageOf = (status: unknown) => textOf(isObject(status) ? status['status_message'] : undefined);

const textOf = (value: unknown) => (typeof value === 'string' ? value : words.nothing);
