import type { ImportField } from '../listing-import.contract.js';
import { parseForeignJson } from '#base/json';
import { localTimeOf } from './local-time.js';

/** What is in a cell that is not empty. What a reader cannot read stays a text, so that the schema can name the field. */
export const CELLS: Readonly<Record<ImportField, (cell: string) => unknown>> = {
  listing_id: asText,
  event_id: asText,
  section: asText,
  row: asText,
  seats: (cell) => (cell.startsWith('[') ? asJson(cell) : cell.split(/[,;]/).map(asText)),
  notes: (cell) => cell,
  quantity: asWhole,
  split_rule: (cell) => (cell.startsWith('[') ? asJson(cell) : cell.trim().toLowerCase()),
  price: asAmount,
  fees: asAmount,
  wholesale_price: asAmount,
  tax_rate: asNumber,
  tax_rates: asJson,
  delivery_methods: asJson,
  confirmation: (cell) => cell.trim().toLowerCase(),
  confirm_within_minutes: asWhole,
  capture: asText,
  in_hand_at: (cell) => localTimeOf(cell) ?? cell.trim(),
  ship_within_minutes: asWhole,
  market_specific_fields: asJson,
  seller: asText,
  external_id: asText,
  speculative: asYesNo,
  event: asText,
  venue: asText,
  event_date: asText,
  event_time: asText,
  seat_from: asText,
  seat_thru: asText,
};

const PLAIN = /^-?\d{1,15}(\.\d{1,15})?$/;
const BLANKS = '[ \\u00a0\\u202f]';
const CURRENCY = new RegExp(`^(?:US ?\\$|USD|\\$)${BLANKS}*|${BLANKS}*(?:US ?\\$|USD|\\$)$`, 'giu');
// 1,234.50 and 1,234
const ENGLISH = /^\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?$/;
// 1.234,50 and 12,50 and 1 234,50 and 1'234.50
const CONTINENTAL = new RegExp(`^\\d{1,3}(?:(?:\\.|${BLANKS}|['’])\\d{3})+,\\d{1,2}$|^\\d+,\\d{1,2}$`, 'u');
const SPACED = new RegExp(`^\\d{1,3}(?:(?:${BLANKS}|['’])\\d{3})+(?:\\.\\d{1,2})?$`, 'u');

function asText(cell: string): string {
  return cell.trim();
}

function asNumber(cell: string): unknown {
  const text = cell.trim();
  return PLAIN.test(text) ? Number(text) : /^0,\d{1,15}$/.test(text) ? Number(text.replace(',', '.')) : cell;
}

/** `1,234` is a thousand, as the currency is US dollars; `1.234` stays a fraction of a cent, which no price may be. */
function asAmount(cell: string): unknown {
  const text = cell.trim().replace(CURRENCY, '');
  if (PLAIN.test(text)) return Number(text);
  if (ENGLISH.test(text)) return Number(text.replaceAll(',', ''));
  if (SPACED.test(text)) return Number(text.replace(/[^\d.]/g, ''));
  if (CONTINENTAL.test(text)) return Number(text.replace(/[^\d,]/g, '').replace(',', '.'));
  return cell;
}

/** `1.000` could be one or a thousand, so it is neither. */
function asWhole(cell: string): unknown {
  const text = cell.trim();
  if (/^-?\d{1,15}(\.\d{1,2})?$/.test(text)) return Number(text);
  return ENGLISH.test(text) || SPACED.test(text) ? Number(text.replace(/[^\d.]/g, '')) : cell;
}

/** As exports of points of sale write it. */
function asYesNo(cell: string): unknown {
  const text = cell.trim().toLowerCase();
  if (['true', 'yes', 'y', '1'].includes(text)) return true;
  return ['false', 'no', 'n', '0'].includes(text) ? false : cell;
}

function asJson(cell: string): unknown {
  try {
    return parseForeignJson(cell);
  } catch {
    return cell;
  }
}
