import { Command } from 'commander';
import { shipmentIssue } from '#orders/fulfillment-check';
import { FulfillmentChange, ORDER_SORTS, OrderListQuery, StatusChange } from '#orders/order.contract';
import { describeIssues } from '#web/issues.contract';
import { STAGES } from '#domain/order-state';
import { STATUS_VALUES } from '#domain/status';
import type { z } from 'zod';
import type { SearchPosition } from '#orders/order-finder';
import { listQuestion } from '#orders/order-list';
import type { ListedOrder } from '#orders/order-queries';
import { detailDocument, orderDocument, orderTable, orderText } from './order-text.js';
import { pointInTime } from './terminal/point-in-time.js';
import { safeJson } from './terminal/text-table.js';
import { UsageError, UserError } from './terminal/user-error.js';
import { wholeNumber } from './terminal/whole-number.js';
import { type OrderContext, type UseOrders, withOrders } from './with-orders.js';

type Output = { json?: boolean };
type ChangeOptions = Output & { note?: string; versionExpected?: number };
type ListOptions = Output & { limit: number } & Partial<Record<string, unknown>>;
type FulfilOptions = ChangeOptions & { carrier?: string; trackingNumber?: string; url?: string };

/** A change adds events to the log, whose hashes need the key. */
const CHANGE = { key: true };

const MAX_LISTED = 10_000;
const MAX_PER_PAGE = 200;
const MAX_INTEGER = 2 ** 31 - 1;

/**
 * `orders list|show|status|fulfil`: the same actions and rules as in the back office. The actor is the user who runs the command.
 */
export function ordersCommand(use: UseOrders = withOrders): Command {
  return new Command('orders')
    .description('finds and changes orders, by the rules of the back office')
    .addCommand(listCommand(use))
    .addCommand(showCommand(use))
    .addCommand(statusCommand(use))
    .addCommand(fulfilCommand(use));
}

function listCommand(use: UseOrders): Command {
  return new Command('list')
    .description('lists orders, newest first')
    .option('--status <statuses>', `${STATUS_VALUES.join(', ')}; separate several with commas`)
    .option('--status-code <codes>', 'of the status catalogue; separate several with commas')
    .option(
      '--q <text>',
      "order, ref_id, listing, event or transaction id, or the buyer's e-mail, phone or names, whole",
    )
    .option('--event <id>', 'for this event')
    .option('--listing <id>', 'of this listing')
    .option('--ref-id <id>', "the platform's own reference")
    .option('--client <id>', 'of this platform client')
    .option('--stage <stage>', `${STAGES.join(', ')} or all`, 'placed')
    .option('--from <time>', 'placed at this time or later; a day begins at midnight UTC', pointInTime('--from'))
    .option('--to <time>', 'placed before this time', pointInTime('--to'))
    .option('--sort <order>', ORDER_SORTS.join(', '), 'placed_at.desc')
    .option('--limit <n>', 'the number of orders to show', wholeNumber(1, MAX_LISTED), 50)
    .option('--json', 'print JSON')
    .action(async (options: ListOptions) => {
      const query = queryOf(options);
      const key = query.q?.includes('@') ?? false;
      const found = await use((tools) => findOrders(tools, query, options.limit + 1), { key });
      const orders = found.slice(0, options.limit);
      const more = found.length > orders.length;
      if (options.json) return console.log(safeJson({ orders: orders.map(orderDocument), more }));
      if (orders.length === 0) return console.log('No orders.');
      console.log(more ? `${orderTable(orders)}\nand more: see --limit` : orderTable(orders));
    });
}

/** Validates the options like a query of the back office. */
function queryOf(options: ListOptions): OrderListQuery {
  const { status, statusCode, q, event, listing, refId, client, stage, from, to, sort } = options;
  return parse(OrderListQuery, {
    status,
    status_code: statusCode,
    q,
    event_id: event,
    listing_id: listing,
    ref_id: refId,
    client_id: client,
    stage,
    placed_from: from,
    placed_to: to,
    sort,
  });
}

async function findOrders({ find }: OrderContext, query: OrderListQuery, wanted: number) {
  const { sort, limit: _, cursor: __, ...filter } = query;
  const question = listQuestion(filter, sort);
  const found: ListedOrder[] = [];
  for (let after: SearchPosition | undefined; found.length < wanted;) {
    const limit = Math.min(MAX_PER_PAGE, wanted - found.length);
    const page = await find(question, { limit, after });
    found.push(...page);
    after = page.at(-1)?.position;
    if (!after || page.length < limit) break;
  }
  return found;
}

function showCommand(use: UseOrders): Command {
  return new Command('show')
    .description("shows an order with its history and its pings, without the buyer's data")
    .argument('<order id>', 'see list')
    .option('--json', 'print JSON')
    .action((id: string, { json }: Output) => use((tools) => show(tools, id, json)));
}

function statusCommand(use: UseOrders): Command {
  return withChangeOptions(new Command('status'))
    .description('moves an order to another status of the catalogue and notifies the platform')
    .argument('<order id>', 'see list')
    .argument('<status code>', 'of the status catalogue, e.g. 2000', wholeNumber(0, MAX_INTEGER))
    .action((id: string, code: number, { note, versionExpected, json }: ChangeOptions) => {
      const change = parse(StatusChange, { status_code: code, note });
      return use(async (tools) => {
        await tools.change(id, {
          type: 'ChangeStatus',
          statusCode: change.status_code,
          ...optionalFields(note, versionExpected),
        });
        await show(tools, id, json);
      }, CHANGE);
    });
}

function fulfilCommand(use: UseOrders): Command {
  return withChangeOptions(new Command('fulfil'))
    .description('records how the tickets were delivered, by shipment or download, and updates the status')
    .argument('<order id>', 'see list')
    .option('--carrier <name>', 'of shipped tickets, one of CARRIERS')
    .option('--tracking-number <number>', 'of shipped tickets')
    .option('--url <address>', 'where the tickets can be downloaded')
    .action((id: string, { carrier, trackingNumber, url, note, versionExpected, json }: FulfilOptions) => {
      const isDownload = url !== undefined;
      if (isDownload === (carrier !== undefined || trackingNumber !== undefined)) {
        throw new UsageError('Give either --carrier and --tracking-number, or --url.');
      }
      const shipped = { type: 'ship', data: { carrier, tracking_number: trackingNumber } };
      const { note: _, ...fulfillment } = parse(FulfillmentChange, {
        ...(isDownload ? { type: 'download', data: { url } } : shipped),
        note,
      });
      return use(async (tools) => {
        const issue = shipmentIssue(fulfillment, tools.settings);
        if (issue !== undefined) throw new UsageError(issue);
        await tools.change(id, { type: 'Fulfil', fulfillment, ...optionalFields(note, versionExpected) });
        await show(tools, id, json);
      }, CHANGE);
    });
}

function withChangeOptions(command: Command): Command {
  return command
    .option('--note <text>', 'a note for colleagues, stored with the change')
    .option('--version-expected <n>', 'change nothing if the order has another version', wholeNumber(1, MAX_INTEGER))
    .option('--json', 'print JSON');
}

function optionalFields(note: string | undefined, expectedVersion: number | undefined) {
  return { ...(note !== undefined && { note }), ...(expectedVersion !== undefined && { expectedVersion }) };
}

async function show({ orders, pings, openNote }: OrderContext, id: string, json = false): Promise<void> {
  const [order, sent] = await Promise.all([orders.find(id), pings.ofOrder(id)]);
  if (!order) throw new UserError('There is no such order.');
  console.log(json ? safeJson(detailDocument(order, sent, openNote)) : orderText(order, sent, openNote));
}

function parse<S extends z.ZodType>(schema: S, given: object): z.output<S> {
  const { data, error } = schema.safeParse(given);
  if (error) throw new UsageError(describeIssues(error.issues));
  return data as z.output<S>;
}
