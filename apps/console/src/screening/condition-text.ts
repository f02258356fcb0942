import { isObject } from '../api/is-object.js';
import { filterWords } from '../orders/orders-words.js';
import { wordFor } from '../words/word-for.js';
import { fraudFieldNames, screeningWords as words } from './screening-words.js';

type Condition = Readonly<Record<string, unknown>>;

const NAMES: Readonly<Record<string, string>> = { ...filterWords.field, ...fraudFieldNames };
const OPS: Readonly<Record<string, string>> = filterWords.op;

/** A condition in words: `Total at least 500 and First order of the e-mail is yes`. */
export function conditionText(where: Condition, isInner = false): string {
  for (const [key, joint] of [
    ['and', words.and],
    ['or', words.or],
  ] as const) {
    const parts = where[key];
    if (!Array.isArray(parts)) continue;
    const text = parts.map((part) => conditionText(isObject(part) ? part : {}, true)).join(joint);
    return isInner && parts.length > 1 ? `(${text})` : text || words.always;
  }
  if (isObject(where['not'])) return words.not(conditionText(where['not']));
  const [field, op] = [String(where['field']), String(where['op'])];
  const name = NAMES[field] ?? field;
  if (op === 'is_null') return `${name} ${where['value'] === false ? filterWords.notNull : filterWords.op.is_null}`;
  return `${name} ${OPS[op] ?? op} ${[where['value']].flat().map(valueText).join(', ')}`;
}

function valueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  return wordFor(filterWords.option, String(value)) ?? String(value);
}
