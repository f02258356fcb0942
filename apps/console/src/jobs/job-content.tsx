import { useQuery } from '@tanstack/react-query';
import type { Job } from '#desk/job.contract';
import { useShow } from '../api/show-names.js';
import { isKeyOf } from '../api/keys-of.js';
import { assigneesQuery } from '../api/order-changes.js';
import { statusCatalogueQuery } from '../api/status-catalogue.js';
import { refundWords } from '../order/refund-words.js';
import { denials } from '../words/answers.js';
import { exactTime, number, venueTime } from '../words/formats.js';
import { wordFor } from '../words/word-for.js';
import { jobWords } from './job-words.js';

const words = jobWords.content;

const textsIn = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.filter((text) => typeof text === 'string') : [];

/** Only an export in clear waits for a second person. */
const isInClear = ({ state, approved_by: second }: Job) => state === 'waiting_for_approval' || second !== null;

/** What a job changes, and on which orders. Whoever approves it has to know. */
export function JobContent({ job, className = 'soft small' }: Readonly<{ job: Job; className?: string }>) {
  const { kind, arguments: given, selection } = job;
  const { status_code: code, operator_id: operator, reason } = given;
  const { data: catalogue } = useQuery({ ...statusCatalogueQuery, enabled: kind === 'change_status' });
  const { data: people } = useQuery({ ...assigneesQuery, enabled: kind === 'assign' && operator !== null });
  const show = useShow(selection.event_id ?? '');
  const message = catalogue?.statuses.find((status) => status.status_code === code)?.status_message;
  const parts = [
    typeof code === 'number' ? [code, message].filter(Boolean).join(' ') : '',
    ...(kind === 'refund' ? refunded(given) : []),
    // Refunds have reasons of the same names.
    kind === 'deny' && typeof reason === 'string' && isKeyOf(denials, reason) ? denials[reason].name : '',
    ...textsIn(given['add']).map((tag) => words.added(tag)),
    ...textsIn(given['remove']).map((tag) => words.removed(tag)),
    kind === 'assign'
      ? words.assigned(operator === null ? null : (people?.find(({ id }) => id === operator)?.name ?? ''))
      : '',
    ...(kind === 'export_orders' ? exported(job) : []),
    kind === 'import_orders' ? words.lines(job.total, number(job.total)) : '',
    typeof given['datetime_local'] === 'string' ? venueTime(given['datetime_local']) : '',
    ...(kind === 'postpone_event' ? choice(given) : []),
    selection.event_id === undefined
      ? ''
      : show
        ? words.showNamed(show.title, venueTime(show.datetime_local))
        : words.show(selection.event_id),
    selection.ids === undefined ? '' : words.chosen(selection.ids, number(selection.ids)),
    'where' in selection ? words.search : '',
  ];
  return <span className={className}>{parts.filter((part) => part !== '').join(' · ')}</span>;
}

/** Until when buyers may give their tickets back. */
function choice({ choice_until: until, choice_within_hours: hours }: Job['arguments']): readonly string[] {
  return [
    typeof until === 'string' ? words.chooseUntil(exactTime(until)) : '',
    typeof hours === 'number' ? words.chooseWithin(hours) : '',
  ];
}

function refunded({ amount, quantity, reason }: Job['arguments']): readonly string[] {
  return [
    typeof amount === 'number' ? words.amountEach(amount.toFixed(2)) : '',
    typeof quantity === 'number' ? words.ticketsEach(quantity) : '',
    typeof reason === 'string' ? (wordFor(refundWords.reason, reason) ?? reason) : '',
  ];
}

function exported(job: Job): readonly string[] {
  const { format, columns } = job.arguments;
  const all = format === 'ndjson' ? words.whole : words.all;
  return [...textsIn([format]), textsIn(columns).join(', ') || all, isInClear(job) ? words.inClear : ''];
}
