import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { type OrderList, OrderListCursor } from './order.contract.js';
import { Sealer } from '#base/sealing';
import { OrderFinder, type SearchAccess, type SearchPosition, type SearchQuestion } from './order-finder.js';
import type { Caller } from '#accounts/caller';
import { parseForeignJson } from '#base/json';
import { cursorPage, readCursor } from '#web/cursor-page';
import { HttpError } from '#web/http-error';
import { searchedFields } from './asked-matches.js';
import { OrderShows } from './order-shows.js';
import { OrderView } from './order-view.js';
import { refusalOf } from './staff-remarks.js';

const Cursor = z.tuple([z.string(), z.union([z.iso.datetime(), z.literal('infinity'), z.int()]), z.string()]);

type Page = Readonly<{ limit: number; cursor?: string | undefined }>;

/** Lists orders for a caller: what the caller may ask and see, and the pages of the result. */
@Injectable()
export class OrderFinding {
  constructor(
    private readonly finder: OrderFinder,
    private readonly view: OrderView,
    private readonly shows: OrderShows,
    private readonly sealer: Sealer,
  ) {}

  async page(question: SearchQuestion, { limit, cursor }: Page, caller: Caller): Promise<OrderList> {
    const refusal = refusalOf(question.where, caller);
    if (refusal !== undefined) throw HttpError.with(40300, refusal);
    const digest = this.digestOf(question);
    const after = readCursor(cursor, (text) => parseCursor(text, question, digest));
    const found = await this.finder.find(question, { limit: limit + 1, after }, accessOf(caller));
    const { page, next_cursor } = cursorPage(found, limit, ({ position }) => cursorOf(digest, position));
    const asked = this.finder.asked(question, accessOf(caller));
    if (question.q === undefined || !asked) {
      return { orders: page.map((order) => this.view.listed(order, caller)), next_cursor };
    }
    const search = { q: question.q, asked };
    const shows = await this.shows.of(page.map(({ id }) => id));
    const orders = page.map((order) => this.view.listed(order, caller, search, shows.get(order.id)));
    return { orders, next_cursor, searched: searchedFields(asked) };
  }

  async count(question: SearchQuestion, caller: Caller): Promise<number> {
    return await this.finder.count(question, accessOf(caller));
  }

  /** A cursor is valid for its own question only. With another question it would silently skip orders. */
  private digestOf({ where, q, sort, ...more }: SearchQuestion): string {
    const text = JSON.stringify({ where, q, sort, ...more });
    return this.sealer.digest('search-cursor', text).subarray(0, 12).toString('base64url');
  }
}

/** What the caller's searches are limited to. Every search goes through here. */
export function accessOf(caller: Caller): SearchAccess {
  return { sellers: caller.sellers ?? undefined, buyers: caller.permissions.includes('orders:act') };
}

function cursorOf(digest: string, { at, id }: SearchPosition): string {
  return Buffer.from(JSON.stringify([digest, at, id])).toString('base64url');
}

function parseCursor(
  text: string,
  { sort, isWhole, queue }: SearchQuestion,
  digest: string,
): SearchPosition | undefined {
  try {
    const given: unknown = parseForeignJson(Buffer.from(text, 'base64url').toString());
    if ((isWhole || queue) && Array.isArray(given) && given.length === 2) return EarlierCursor.parse(given);
    const [of, at, id] = Cursor.parse(given);
    const isNumber = typeof at === 'number';
    return of === digest && isNumber === sort.startsWith('total') ? { at, id } : undefined;
  } catch {
    return undefined;
  }
}

/** Versions before gave out cursors of the list by filters, and of built-in queues, without their question. */
const EarlierCursor = OrderListCursor.transform(([at, id]) => ({ at, id }));
