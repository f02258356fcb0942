import { ApiError } from '../api/api-error.js';
import { wordFor } from '../words/word-for.js';
import { screeningWords as words } from './screening-words.js';

const IN_CONDITION = /^\w+(?:\.\d+)?\.where\.?(\S*): (.+)$/;
const IN_ROW = /^(?:(?:and|or)\[(\d+)\]\.)?(field|op|value)$/;
const NAMES = { field: words.field, op: words.comparison, value: words.value } as const;

/** What the server says is wrong with a condition, by the name of the field: `Value 2: must be an integer`. */
export function conditionFault(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const parts = error.messages.flatMap((message) => message.replace(/^[^:]*: /, '').split('; '));
  const [, path = '', text] = parts.map((part) => IN_CONDITION.exec(part)).find((found) => found !== null) ?? [];
  if (text === undefined) return undefined;
  const [, row = '0', part] = IN_ROW.exec(path) ?? [];
  const place = part === undefined ? path : `${wordFor(NAMES, part) ?? part} ${Number(row) + 1}`;
  return place === '' ? text : `${place}: ${text}`;
}
