import { describe, expect, it } from 'vitest';
import { HELD, life, PAID, receive, replace, status } from '../../../test/support/orders/paid-order.js';
import { stockMoves } from './order-effects.js';
import type { Order } from './order-state.js';
import { freeSeats, seatsOf } from './seats.js';

const FIRST = ['A', 'B', 'C', 'D'];
const OTHERS = ['E', 'F', 'G', 'H'];
const NOBODY: Order = { known: false };
const named = receive({ product: { ...PAID.product, seats: FIRST } });
const [, ...paid] = HELD;

describe('the seats of an order', () => {
  it('have the names that the purchase took, or numbers', () => {
    expect(seatsOf(life(named, ...paid).order)).toEqual(FIRST);
    expect(seatsOf(life(...HELD).order)).toEqual(['1', '2', '3', '4']);
  });

  it('move with its tickets, and not once these are sent', () => {
    const order = life(named, ...paid).order;
    const rejected = life(named, ...paid, status(3004)).order;
    const sent = life(named, ...paid, status(2002)).order;
    expect(stockMoves(NOBODY, order)).toMatchObject([{ taken: 4, seats: FIRST }]);
    expect(stockMoves(order, rejected)).toMatchObject([{ taken: -4, seats: FIRST }]);
    expect(stockMoves(sent, life(named, ...paid, status(2002), status(3004)).order)).toEqual([]);
  });

  it('are those of the other tickets once the buyer has these', () => {
    const replacement = replace(11_500, 'L2', { seats: OTHERS });
    const offered = life(named, ...paid, replacement[0]!).order;
    const accepted = life(named, ...paid, ...replacement).order;
    expect(stockMoves(NOBODY, offered).map(({ seats }) => seats)).toEqual([FIRST, OTHERS]);
    expect(stockMoves(offered, accepted)).toMatchObject([{ listing_id: 'L1', seats: FIRST }]);
    expect(seatsOf(accepted)).toEqual(OTHERS);
  });
});

it.each([
  [['5', '6', '7'], [], ['5', '6', '7']],
  [['7', '5', '6'], ['5'], ['7', '6']],
  [['GA', 'GA'], [], ['GA']],
  [undefined, ['5'], []],
])('of %j without %j are free: %j', (seats, heldSeats, free) => {
  expect(freeSeats({ ...(seats && { seats }), heldSeats })).toEqual(free);
});
