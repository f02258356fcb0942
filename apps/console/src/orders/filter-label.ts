import { dateText } from '../words/formats.js';
import { isDay, midnightOf } from '../words/time-zone.js';
import { wordFor } from '../words/word-for.js';
import { filterWords } from './orders-words.js';
import { type Filter, FILTER_FIELDS } from './order-condition.js';

/** A filter in words: `Placed since 7 days ago`. */
export function filterLabel({ field, op, values }: Filter): string {
  const name = filterWords.field[field];
  if (op === 'is_null') return `${name} ${values[0] === 'none' ? filterWords.op.is_null : filterWords.notNull}`;
  const isTime = FILTER_FIELDS[field].kind === 'time';
  const verb = (isTime ? wordFor(filterWords.timeOp, op) : undefined) ?? filterWords.op[op];
  return `${name} ${verb} ${values.map((value) => valueText(value, isTime)).join(', ')}`;
}

function valueText(value: string, isTime: boolean): string {
  if (!isTime) return wordFor(filterWords.option, value) ?? value;
  const named = wordFor(filterWords.days, value);
  if (named !== undefined) return named;
  if (isDay(value)) return dateText(midnightOf(value).toISOString());
  return Number.isNaN(Date.parse(value)) ? value : dateText(value);
}
