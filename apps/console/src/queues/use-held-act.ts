import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { QueuedOrder } from '#desk/queue.contract';
import type { OrderDetail } from '#orders/order.contract';
import { orderQuery } from '../api/desk.js';
import { serverTime } from '../api/http.js';
import { queuesQuery } from '../api/queues.js';
import { beforeSignOut } from '../frame/use-sign-out.js';

const HOLD_MS = 10_000;
// An answer has to arrive before its deadline.
const BEFORE_DEADLINE_MS = 20_000;
// The queues follow an order within a moment. Whatever is still there then belongs there.
const FOLLOWED_MS = 5_000;
// They are also told after the person was on another page.
const REFUSED = ['refused-acts'] as const;
const NONE: ReadonlySet<string> = new Set();

/** An act that is not sent yet. `until`: when it will be, in milliseconds. */
export type Held = Readonly<{ order: QueuedOrder; until: number }>;
type Refusal = Readonly<{ orderId: string; error: unknown }>;

/**
 * Holds one act back for ten seconds, in which it can be taken back. It is sent at once if the person acts again, leaves the page or signs out,
 * or if its deadline is near.
 */
export function useHeldAct(act: (order: QueuedOrder) => Promise<OrderDetail>) {
  const client = useQueryClient();
  const { pathname } = useLocation();
  const [held, setHeld] = useState<Held | null>(null);
  const [taken, setTaken] = useState(NONE);
  const { data: refusals = [] } = useQuery<readonly Refusal[]>({ queryKey: REFUSED, queryFn: skipToken });
  // The same as the state, but also true before it is drawn: nothing may be sent twice.
  const now = useRef<Readonly<{ held: Held | null; taken: ReadonlySet<string> }>>({ held: null, taken: NONE });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const keep = (next: Held | null) => {
    clearTimeout(timer.current);
    now.current = { ...now.current, held: next };
    setHeld(next);
  };
  const take = (orderId: string, isTaken: boolean) => {
    const others = [...now.current.taken].filter((one) => one !== orderId);
    now.current = { ...now.current, taken: new Set(isTaken ? [...others, orderId] : others) };
    setTaken(now.current.taken);
  };
  const forget = (orderId: string) =>
    client.setQueryData<readonly Refusal[]>(REFUSED, (before) => before?.filter((one) => one.orderId !== orderId));
  const send = async (order: QueuedOrder) => {
    try {
      client.setQueryData(orderQuery(order.id).queryKey, await act(order));
      setTimeout(() => take(order.id, false), FOLLOWED_MS);
    } catch (error) {
      take(order.id, false);
      client.setQueryData<readonly Refusal[]>(REFUSED, (before = []) => [...before, { orderId: order.id, error }]);
    }
    void client.invalidateQueries({ queryKey: queuesQuery.queryKey });
  };
  const sendNow = async () => {
    const { held: waiting } = now.current;
    if (!waiting) return;
    keep(null);
    await send(waiting.order);
  };
  const latest = useRef(sendNow);
  latest.current = sendNow;
  useEffect(() => {
    const leave = () => latest.current();
    const stays = beforeSignOut(leave);
    window.addEventListener('pagehide', leave);
    return () => {
      stays();
      window.removeEventListener('pagehide', leave);
      void leave();
    };
  }, [pathname]);

  return {
    held,
    /** The orders that are not to be shown: their act is held, on its way, or has just arrived. */
    taken,
    refusals,
    forget,
    sendNow,
    hold: (order: QueuedOrder) => {
      if (now.current.taken.has(order.id)) return;
      void sendNow();
      forget(order.id);
      take(order.id, true);
      const ms = holdingTime(order);
      if (ms <= 0) return void send(order);
      keep({ order, until: Date.now() + ms });
      timer.current = setTimeout(() => void latest.current(), ms);
    },
    /** Takes the held act back; nothing was sent. @returns the order that it was about */
    undo: (): string | undefined => {
      const id = now.current.held?.order.id;
      if (id === undefined) return undefined;
      keep(null);
      take(id, false);
      return id;
    },
  };
}

export type HeldAct = ReturnType<typeof useHeldAct>;

function holdingTime({ confirm_by: until }: QueuedOrder): number {
  if (until === null) return HOLD_MS;
  return Math.min(HOLD_MS, Date.parse(until) - serverTime(Date.now()) - BEFORE_DEADLINE_MS);
}
