import type { History, LoggedOrder, PurchaseAttempt } from './history.js';

/**
 * The violations of a load after everything has settled, one sentence each. Without the code under test, it compares the answers, the
 * pings, what GET shows, and the log.
 */
export function historyViolations(history: History): string[] {
  return [
    ...history.purchases.flatMap((attempt) => purchaseViolations(attempt, history)),
    ...history.orders.flatMap((order) => orderViolations(order, history)),
    ...history.orders.flatMap((order) => changeViolations(order, history)),
    ...history.orders.flatMap((order) => pingViolations(order, history)),
    ...stockViolations(history),
    ...unknownArrivals(history),
  ];
}

const SOLD_OUT = [40011, 40014];
const DECLINED_OR_WRONG_TOTAL = [40016, 40026];

function purchaseViolations({ refId, outcome, expectedTo }: PurchaseAttempt, { orders }: History): string[] {
  const placed = orders.filter((order) => order.refId === refId && order.statuses.length > 0);
  const [order] = placed;
  if (placed.length > 1) return [`${refId} exists ${placed.length} times`];
  if (outcome.is === 'cut') {
    const end = order?.statuses.at(-1)?.status;
    return order && expectedTo !== 'succeed' && end !== 'rejected'
      ? [`${refId} was expected to fail and is ${end}`]
      : [];
  }
  if (outcome.is === 'refused') {
    const refused = `${refId} was refused with ${outcome.status} ${list(outcome.codes)}`;
    const allowed = expectedTo === 'be refused' ? [...DECLINED_OR_WRONG_TOTAL, ...SOLD_OUT] : SOLD_OUT;
    if (order) return [`${refused}, and exists`];
    return outcome.codes.length === 1 && outcome.codes.every((code) => allowed.includes(code)) ? [] : [refused];
  }
  if (expectedTo !== 'succeed') return [`${refId} was expected to ${expectedTo}, and was acknowledged`];
  if (!order) return [`${refId} was acknowledged, and does not exist`];
  if (order.id !== outcome.orderId) return [`${refId} was acknowledged as ${outcome.orderId} and is ${order.id}`];
  const opening = order.statuses.slice(0, 1).map(({ code }) => code);
  return same(opening, outcome.codes)
    ? []
    : [`${refId} was answered with ${list(outcome.codes)} and began with ${list(opening)}`];
}

function orderViolations(order: LoggedOrder, { purchases }: History): string[] {
  const violations: string[] = [];
  const { refId, statuses, shown, notTaken } = order;
  const attempt = purchases.find((one) => one.refId === refId);
  if (!attempt) violations.push(`${refId} was never submitted`);
  else if (attempt.listingId !== order.listingId || attempt.quantity !== order.quantity) {
    violations.push(`${refId} is for ${order.quantity} of ${order.listingId}`);
  }
  const codes = statuses.map(({ code }) => code);
  if (codes.length === 0 && !notTaken) violations.push(`${refId} has no outcome`);
  if (!same(shown ?? [], codes))
    violations.push(`${refId} went through ${list(codes)} and GET shows ${list(shown ?? [])}`);
  return violations;
}

/** Acknowledged changes must be there in sequence. Other changes must be ones that staff tried. */
function changeViolations({ id, statuses }: LoggedOrder, { changes }: History): string[] {
  const violations: string[] = [];
  const entered = statuses.filter(({ byStaff }) => byStaff).map(({ code }) => code);
  let done = 0;
  for (const { statusCode, outcome } of changes.filter((change) => change.orderId === id)) {
    const isThere = entered[done] === statusCode;
    if (outcome === 'refused') violations.push(`${id} was refused status ${statusCode}`);
    if (outcome === 'acknowledged' && !isThere) violations.push(`${id} lacks its status ${statusCode}`);
    if (isThere) done += 1;
  }
  const rest = entered.slice(done);
  return rest.length > 0 ? [...violations, `${id} has ${list(rest)}, which nobody set`] : violations;
}

/** Each status is pinged, first after the previous one was delivered. GET shows it when its ping arrives. */
function pingViolations({ id, refId, statuses }: LoggedOrder, { arrivals, shownAt }: History): string[] {
  const violations: string[] = [];
  const own = arrivals.filter(({ orderId }) => orderId === id);
  let delivered = -1;
  for (const [index, { code, transactionId }] of statuses.entries()) {
    const pings = own.filter((ping) => ping.transactionId === transactionId);
    const first = pings[0];
    const answered = pings.find((ping) => ping.delivered !== undefined)?.delivered;
    if (first === undefined || answered === undefined) {
      violations.push(`the ping of ${code} for ${refId} was never delivered`);
      continue;
    }
    if (first.number < delivered)
      violations.push(`${refId} was pinged of ${code} before the previous status was delivered`);
    delivered = answered;
    for (const { number } of pings) {
      if (shownAt.get(number)?.[index] !== code) violations.push(`${refId} was pinged of ${code} before GET showed it`);
    }
  }
  const known = new Set(statuses.map(({ transactionId }) => transactionId));
  const others = own.filter(({ transactionId }) => !known.has(transactionId));
  const wrong = own.filter((ping) => ping.refId !== refId || !ping.signed);
  if (others.length > 0) violations.push(`${refId} was pinged without a status, ${others.length} times`);
  if (wrong.length > 0) violations.push(`${refId} was pinged with a wrong ref_id or signature, ${wrong.length} times`);
  return violations;
}

function stockViolations({ listings, orders }: History): string[] {
  return listings.flatMap(({ id, offered, available }) => {
    const held = orders.filter(({ listingId }) => listingId === id).reduce((sum, order) => sum + holds(order), 0);
    return offered - available === held ? [] : [`${id} has ${available} of ${offered} left; orders hold ${held}`];
  });
}

/** An order with a status holds its tickets unless it is rejected. Assumes that no load sends tickets out before. */
function holds({ statuses, quantity, notTaken }: LoggedOrder): number {
  const last = statuses.at(-1);
  if (last) return last.status === 'rejected' ? 0 : quantity;
  return notTaken ? 0 : quantity;
}

function unknownArrivals({ arrivals, orders }: History): string[] {
  const known = new Set(orders.map(({ id }) => id));
  const others = new Set(arrivals.map(({ orderId }) => orderId).filter((id) => !known.has(id)));
  return [...others].map((id) => `${id} was pinged but is not an order`);
}

function list(codes: readonly number[]): string {
  return codes.join(', ') || 'nothing';
}

function same(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((code, index) => code === b[index]);
}
