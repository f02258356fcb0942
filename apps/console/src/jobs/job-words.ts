import type { Job, JobPreview } from '#desk/job.contract';
import { readers } from '../words/readers.js';

const orders = (count: number, text: string) => (count === 1 ? '1 order' : `${text} orders`);

export const jobWords = {
  title: 'Jobs',
  hint: 'The same change to many orders, done in the background.',
  empty: 'No jobs yet. Select orders in the list, or postpone, move or cancel a show on its page.',
  column: { what: 'What', who: 'Started by', when: 'Started', state: 'State', progress: 'Progress' },
  kind: {
    change_status: 'Change the status',
    accept: 'Accept',
    deny: 'Deny',
    tag: 'Tag',
    assign: 'Assign',
    cancel_event: 'Cancel the show',
    postpone_event: 'Postpone the show',
    move_event: 'Move the show',
    export_orders: 'Export orders',
    import_orders: 'Import orders',
    refund: 'Refund',
  } satisfies Record<Job['kind'], string>,
  state: {
    running: 'Running',
    paused: 'Paused',
    waiting_for_approval: 'Waits for another person',
    done: 'Done',
    cancelled: 'Cancelled',
    failed: 'Failed',
  } satisfies Record<Job['state'], string>,
  tone: {
    running: 'pending',
    paused: 'pending',
    waiting_for_approval: 'pending',
    done: 'confirmed',
    cancelled: 'rejected',
    failed: 'exception',
  } satisfies Record<Job['state'], string>,
  act: { pause: 'Pause', resume: 'Resume', cancel: 'Cancel', approve: 'Approve', undo: 'Undo' },
  content: {
    added: (tag: string) => `+ ${tag}`,
    removed: (tag: string) => `− ${tag}`,
    /** @param name null is nobody */
    assigned: (name: string | null) => (name === null ? 'to nobody' : name === '' ? 'to a colleague' : `to ${name}`),
    show: (id: string) => `show ${id}`,
    showNamed: (title: string, when: string) => `${title}, ${when}`,
    chosen: (count: number, text: string) => (count === 1 ? '1 chosen order' : `${text} chosen orders`),
    search: 'orders of a search',
    inClear: 'buyers’ data in clear',
    whole: 'whole orders',
    all: 'all columns',
    chooseUntil: (time: string) => `buyers choose until ${time}`,
    chooseWithin: (hours: number) => `buyers choose within ${hours === 1 ? '1 hour' : `${hours} hours`}`,
    amountEach: (amount: string) => `${amount} of each order`,
    ticketsEach: (count: number) => (count === 1 ? '1 ticket of each order' : `${count} tickets of each order`),
    lines: (count: number, text: string) => (count === 1 ? '1 line of a file' : `${text} lines of a file`),
  },
  undoing: (what: string) => `Undo: ${what}`,
  actOf: (act: string, what: string) => `${act}: ${what}`,
  approvedBy: (name: string) => `Approved by ${name}`,
  left: (time: string) => `about ${time} left`,
  progress: (done: string, total: string) => `${done} of ${total}`,
  waiting: (count: number, text: string) => orders(count, text),
  allRefused: 'All refused',
  partlyDone: 'Done in part',
  question: {
    title: { approve: (what: string) => `Approve: ${what}?`, undo: (what: string) => `Undo: ${what}?` },
    by: (name: string) => `${name} asked for it`,
    decline: 'Decline',
  },
  refused: (count: number, text: string) => `${orders(count, text)} refused`,
  fileOf: 'File of the export',
  reason: {
    insufficient_funds: 'The payment provider has no money for refunds now. It goes on by itself once there is some.',
  } satisfies Record<NonNullable<Job['reason']>, string>,
  choices: {
    title: 'What the buyers chose',
    asked: 'Asked',
    kept: 'Keep their tickets',
    refunded: 'Gave them back',
    open: 'Still open',
  },
  results: 'Results',
  resultsOf: (what: string) => `Results of “${what}”`,
  noResults: 'No order is done yet.',
  result: { order: 'Order', outcome: 'Outcome', reason: 'Why' },
  outcome: { done: 'Done', refused: 'Refused', unchanged: 'Was so before' },
  onlyRefused: 'Refused only',
  close: 'Close',
  more: 'Load more',
} as const;

export const bulkWords = {
  title: (count: number, text: string) => `Change ${orders(count, text)}`,
  action: 'What to do',
  titleAll: 'Change all orders of this search',
  titleAllCounted: (text: string) => `Change all ${text} orders of this search`,
  actions: {
    accept: 'Accept',
    deny: 'Deny',
    change_status: 'Change the status',
    tag: 'Tag',
    assign: 'Assign',
    refund: 'Refund',
  },
  refund: {
    tickets: 'Tickets of each order',
    ticketsHint: 'Their price, fees and tax go back, without the delivery.',
    ticketsWrong: 'Type a whole number such as 2.',
    amount: 'Amount of each order',
    amountHint: 'Orders with less left to refund are refused.',
  },
  status: 'New status',
  reason: 'Reason',
  note: 'Note',
  noteHint: `Stored with each change. ${readers.staff}`,
  preview: 'Show what follows',
  start: 'Start',
  cancel: 'Cancel',
  changes: ({ allowed, total }: JobPreview, text: (value: number) => string) =>
    allowed === total
      ? `${orders(total, text(total))} will be as you say.`
      : `${text(allowed)} of ${orders(total, text(total))} will be as you say.`,
  unchanged: (count: number, text: string) =>
    count === 1 ? '1 order stays as it is.' : `${text} orders stay as they are.`,
  changed: ({ allowed, total }: JobPreview, text: (value: number) => string) =>
    allowed === total ? `${orders(total, text(total))} in all.` : `${text(allowed)} of ${orders(total, text(total))}.`,
  refused: (count: number, text: string) => `${orders(count, text)} cannot be changed in this way.`,
  pings: (count: number, text: string) => `The platform is told about ${orders(count, text)}.`,
  nobodyTold: 'The platform is not told.',
  noMoneyBack: 'No money is given back.',
  refunds: (count: number, text: string) =>
    `${orders(count, text)} ${count === 1 ? 'gets' : 'get'} a refund. Status and tickets stay as they are.`,
  byProvider: (provider: string, day: string, count: number, text: string, amount: string) =>
    `${provider}, paid on ${day}: ${count === 1 ? '1 refund' : `${text} refunds`}, ${amount}`,
  returned: (amount: string) => `${amount} is given back.`,
  tickets: (count: number, text: string) =>
    count === 1 ? '1 ticket goes back on sale.' : `${text} tickets go back on sale.`,
  notes: (count: number, text: string) =>
    count === 0
      ? 'No order is open, so no broker is told.'
      : `${orders(count, text)} ${count === 1 ? 'gets' : 'get'} a note that the broker sees.`,
  asked: (count: number, text: string) =>
    `${count === 1 ? '1 buyer is' : `${text} buyers are`} asked. Whoever gives the tickets back gets the money back.`,
  exported: (count: number, text: string) =>
    `${orders(count, text)} ${count === 1 ? 'is' : 'are'} written to a file with buyers’ data in clear, for the program that began it.`,
  noMoney: 'No status changes: the platform gets no ping, and no money moves.',
  approval: 'It begins when another person has approved it.',
  started: 'The job has begun.',
  show: 'Show its progress',
} as const;
