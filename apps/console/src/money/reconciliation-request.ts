import { reconciliationWords } from './reconciliation-words.js';

const words = reconciliationWords.dialog;
const DAY_MS = 24 * 3_600_000;

/** What somebody has typed. Days are `2026-11-26`, both included, in UTC. */
export type Typed = Readonly<{
  kind: 'provider' | 'client';
  provider: string;
  client_id: string;
  from: string;
  to: string;
  file: File | null;
}>;

export type ComparisonRequest =
  | Readonly<{ body: { provider: string; from: string; to: string } }>
  | Readonly<{ query: { client_id: string; from?: string; to?: string }; file: Blob }>;

type Missing = Partial<Record<'provider' | 'client_id' | 'from' | 'to' | 'file', string>>;

/** What is to be asked of the server. Undefined while something is missing, and what that is. */
export function comparisonOf(typed: Typed): Readonly<{ request: ComparisonRequest | undefined; missing: Missing }> {
  const { kind, provider, from, to, file } = typed;
  const client_id = typed.client_id.trim();
  const missing: Missing = {};
  const isDated = kind === 'provider' || from !== '' || to !== '';
  if (isDated && from === '') missing.from = words.missing;
  if (isDated && to === '') missing.to = words.missing;
  else if (isDated && from !== '' && to < from) missing.to = words.order;
  if (kind === 'client' && client_id === '') missing.client_id = words.missing;
  if (kind === 'client' && file === null) missing.file = words.missing;
  if (Object.keys(missing).length > 0) return { request: undefined, missing };
  const days = isDated ? { from: startOf(from), to: endOf(to) } : undefined;
  if (kind === 'provider' && days) return { request: { body: { provider, ...days } }, missing };
  if (file === null) return { request: undefined, missing };
  // Browsers name the type of a spreadsheet's file in several ways.
  return { request: { query: { client_id, ...days }, file: file.slice(0, file.size, 'text/csv') }, missing };
}

const startOf = (day: string) => new Date(day).toISOString();
/** The end of the day, which the server does not include. */
const endOf = (day: string) => new Date(Date.parse(day) + DAY_MS).toISOString();
