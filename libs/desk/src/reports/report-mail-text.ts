import type { MoneyReport, OrdersReport, RefusalsReport, SellersReport, TimesReport } from '../report.contract.js';
import { buttonHtml, escapedHtml } from '#mail/mail-html';
import type { RenderedMail } from '#mail/mail-page';
import { unlinked } from '#mail/unlinked';
import { count, dayName, dollars, duration } from './report-mail-formats.js';
import { sellerTable } from './report-mail-sellers.js';
import type { ReportPeriod } from './report-period.js';

/** `orders`, `money` and `times` by day, `sellers` by seller, `refusals` by any group. */
export type MailedFigures = Readonly<{
  orders: OrdersReport;
  money: MoneyReport;
  refusals: RefusalsReport;
  times: TimesReport;
  sellers: SellersReport;
}>;

type MailedReport = Readonly<{
  period: ReportPeriod;
  figures: MailedFigures;
  isOfSomeSellers: boolean;
  /** The address of the page with the same period. */
  page: string;
  /** The address that ends the subscription. */
  unsubscribe: string;
}>;

/** The first column is text, the others are numbers. */
type Table = Readonly<{ title: string; columns: readonly string[]; rows: readonly (readonly string[])[] }>;

/** The figures of a period as text and as HTML. They hold no data of buyers. */
export function reportMail({ period, figures, isOfSomeSellers, page, unsubscribe }: MailedReport): RenderedMail {
  const name = nameOf(period);
  const { orders } = figures.orders.totals;
  const { confirmed } = figures.money.totals;
  const whose = isOfSomeSellers ? 'Orders of your sellers' : 'Orders';
  const about = `${whose} that were placed ${name.text} (UTC), in the state that they are in now.`;
  const why = 'You get this e-mail because you asked for it on this page.';
  const end = 'End it without signing in';
  const tables = tablesOf(figures, period)
    .filter(({ rows }) => rows.length > 0)
    // Sellers name themselves.
    .map((table) => ({ ...table, rows: table.rows.map((row) => row.map(unlinked)) }));
  return {
    subject: `Report of ${name.subject}: ${count(orders)} ${orders === 1 ? 'order' : 'orders'}, ${dollars(confirmed)} confirmed`,
    text: `${[about, ...tables.map(textOf), `${page}\n${why}`, `${end}:\n${unsubscribe}`].join('\n\n')}\n`,
    html: [
      `<p>${about}</p>`,
      ...tables.map(htmlOf),
      buttonHtml('Open the report', page),
      `<p>${why}</p>`,
      `<p><a href="${escapedHtml(unsubscribe)}">${end}</a></p>`,
    ].join(''),
  };
}

function nameOf({ days }: ReportPeriod): Readonly<{ subject: string; text: string }> {
  const first = dayName(days[0] ?? '');
  const last = dayName(days.at(-1) ?? '');
  if (first === last) return { subject: first, text: `on ${first}` };
  return { subject: `${first} to ${last}`, text: `from ${first} to ${last}` };
}

function tablesOf(
  { orders, money, refusals, times, sellers }: MailedFigures,
  { days }: ReportPeriod,
): readonly Table[] {
  const isOneDay = days.length === 1;
  return [
    { title: 'Orders by status', columns: ['', 'Orders', 'Amount'], rows: statusRows(orders.totals, money.totals) },
    {
      title: 'Orders by day',
      columns: ['', 'Orders', 'Tickets', 'Confirmed', 'Rejected', 'Ordered amount', 'Confirmed amount'],
      rows: isOneDay ? [] : days.map((day) => dayRow(day, orders, money)),
    },
    { title: 'Why orders were refused', columns: ['', 'Orders', 'Amount'], rows: refusalRows(refusals) },
    { title: 'Times', columns: ['', 'Orders', 'Average', 'Median', 'Nine of ten'], rows: timeRows(times.totals) },
    sellerTable(sellers),
  ];
}

const STATUSES = ['confirmed', 'pending', 'exception', 'rejected'] as const;
const STATUS_NAMES = { confirmed: 'Confirmed', pending: 'Pending', exception: 'Exception', rejected: 'Rejected' };

function statusRows(orders: OrdersReport['totals'], money: MoneyReport['totals']): string[][] {
  return [
    ...STATUSES.map((status) => [STATUS_NAMES[status], count(orders[status]), dollars(money[status])]),
    ['All orders', count(orders.orders), dollars(money.total)],
    ['Tickets', count(orders.tickets), ''],
    ['Refunded of rejected', '', dollars(money.refunded)],
  ];
}

function dayRow(day: string, orders: OrdersReport, money: MoneyReport): string[] {
  const counted = orders.rows.find((row) => row.day === day);
  const amounts = money.rows.find((row) => row.day === day);
  return [
    dayName(day),
    ...[counted?.orders, counted?.tickets, counted?.confirmed, counted?.rejected].map((value) => count(value ?? 0)),
    ...[amounts?.total, amounts?.confirmed].map((value) => dollars(value ?? 0)),
  ];
}

const REASON_NAMES = { rejected: 'Rejected', declined: 'Payment declined', failed: 'Payment failed' };

/** Each reason once, most frequent first. */
function refusalRows({ rows }: RefusalsReport): string[][] {
  const reasons = new Map<string, { orders: number; cents: number }>();
  for (const { reason, status_message: message, orders, total } of rows) {
    const name = reason === 'rejected' ? (message ?? REASON_NAMES.rejected) : REASON_NAMES[reason];
    const found = reasons.get(name) ?? { orders: 0, cents: 0 };
    reasons.set(name, { orders: found.orders + orders, cents: found.cents + Math.round(total * 100) });
  }
  return [...reasons]
    .toSorted(([, one], [, other]) => other.orders - one.orders)
    .map(([name, { orders, cents }]) => [name, count(orders), dollars(cents / 100)]);
}

function timeRows(times: TimesReport['totals']): string[][] {
  const row = (name: string, orders: number, of: 'confirm' | 'ship') => [
    name,
    count(orders),
    ...[times[`${of}_avg_s`], times[`${of}_p50_s`], times[`${of}_p90_s`]].map(duration),
  ];
  return [row('To confirm', times.confirmed, 'confirm'), row('To ship', times.shipped, 'ship')];
}

function textOf({ title, columns, rows }: Table): string {
  const widths = columns.map((name, place) => Math.max(name.length, ...rows.map((row) => row[place]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, place) => (place === 0 ? cell.padEnd(widths[place] ?? 0) : cell.padStart(widths[place] ?? 0)))
      .join('  ')
      .trimEnd();
  return [title, line(columns), ...rows.map(line)].join('\n');
}

function htmlOf({ title, columns, rows }: Table): string {
  const line = (cells: readonly string[], tag: 'td' | 'th') =>
    `<tr>${cells.map((cell, place) => `<${tag} align="${place === 0 ? 'left' : 'right'}">${escapedHtml(cell)}</${tag}>`).join('')}</tr>`;
  return `<h3>${title}</h3><table cellpadding="4">${line(columns, 'th')}${rows.map((row) => line(row, 'td')).join('')}</table>`;
}
