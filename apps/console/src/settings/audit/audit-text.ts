import type { AuditEntry } from '#accounts/audit.contract';
import { wordFor } from '../../words/word-for.js';
import { auditWords as words } from './audit-words.js';

/** `order.changed` as `Order changed`. */
export function actionText(action: string): string {
  return wordFor(words.actions, action) ?? inWords(action.replace('.', ' '));
}

/** `order:ord_1` as its kind in words and its id; `id` is '' for what has none. */
export function partsOf(text: string): Readonly<{ kind: string; id: string }> {
  const [kind = '', ...rest] = text.split(':');
  return { kind: wordFor(words.kinds, kind) ?? inWords(kind), id: rest.join(':') };
}

/** What was done exactly: a name and its value each. Values that are more than a text stay JSON. */
export function detailFacts(detail: AuditEntry['detail']): (readonly [name: string, value: string])[] {
  return Object.entries(detail).map(([name, value]) => [
    inWords(name),
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
}

const LINE = ['at', 'actor', 'actor_name', 'action', 'subject', 'subject_name', 'address', 'transaction_id'] as const;

/** A file for a spreadsheet, with the codes as they are recorded. */
export function auditCsv(entries: readonly AuditEntry[]): string {
  const lines = entries.map((entry) => [...LINE.map((name) => entry[name] ?? ''), JSON.stringify(entry.detail)]);
  return [[...LINE, 'detail'], ...lines].map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');
}

// A spreadsheet takes a text that begins so for a formula.
const cellOf = (text: string): string => `"${/^[=+\-@]/.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;

function inWords(code: string): string {
  const text = code.replaceAll('_', ' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
