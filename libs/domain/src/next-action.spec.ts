import { describe, expect, it } from 'vitest';
import {
  answered,
  bought,
  boughtFromUs,
  given,
  NOON,
  orderAfter,
  refused,
  reported,
  sent,
  status,
  uploaded,
} from '../../../test/support/orders/delivered-order.js';
import type { OrderCommand } from './order.js';

const SHIPPED: OrderCommand = {
  type: 'Fulfil',
  fulfillment: { type: 'ship', data: { carrier: 'UPS', tracking_number: '1Z' } },
};
const LINKED: OrderCommand = { type: 'Fulfil', fulfillment: { type: 'download', data: { url: 'https://t.example' } } };
const LABEL: OrderCommand = { type: 'PrintLabel', labelId: 'lbl' };
const FETCHED: OrderCommand = { type: 'ReportDelivery', report: 'parcel_picked_up', at: NOON };
const REPLACED: OrderCommand = { type: 'ReplaceBarcode', barcode: { seat: 'A1', digest: 'new' }, note: 'reissued' };
const OFFERED: OrderCommand = {
  type: 'ProposeReplacement',
  tickets: {
    event_id: '1001',
    listing_id: 'L2',
    listing_version: 1,
    quantity: 2,
    seller: 'acme',
    terms: null,
    expires_at: '2026-11-22T12:00:00.000Z',
  },
};
const ACCEPTED: OrderCommand = { type: 'AcceptReplacement', at: NOON };
const ERASED: OrderCommand = { type: 'ErasePersonalData' };

const download = (form?: 'links' | 'barcodes') =>
  bought({ delivery_method: 'download', ...(form && { delivery_form: form }) });
const transfer = bought();
const ship = bought({ delivery_method: 'ship' });
const label = bought({ delivery_method: 'ship', delivery_form: 'label' });
const pickUp = bought({ delivery_method: 'will_call' });
const manual = bought({ confirmation: 'manual' });
const ownListing = boughtFromUs({ delivery_method: 'ship' });

/** Contract 13.3: what happened to an order, then its status, next action, who acts, and the queue. */
const TABLE: readonly (readonly [string, readonly OrderCommand[], string])[] = [
  ['waits for the broker', [manual], '1001 confirm seller to_confirm'],
  ['waits for our own answer', [boughtFromUs({ confirmation: 'manual' })], '1001 confirm staff to_confirm'],
  ['waits for a review', [bought({ hold_for_review: true })], '1002 confirm staff review'],
  ['is confirmed by its broker', [manual, { type: 'Accept', at: NOON }], '2000 transfer seller to_deliver'],
  ['is rejected', [manual, { type: 'Deny', reason: 'denied', at: NOON }], '3004 done nobody null'],

  ['needs its files', [download()], '2000 upload_tickets seller to_deliver'],
  ['has a file of one seat', [download(), uploaded('t1', 'A1')], '2000 upload_tickets seller to_deliver'],
  ['has a file of each seat', [download(), uploaded('t1', 'A1'), uploaded('t2', 'A2')], '2004 done nobody null'],
  ['has a file for all seats', [download(), uploaded('t1')], '2004 done nobody null'],
  ['has a file and a barcode', [download(), uploaded('t1', 'A1'), given('A2')], '2004 done nobody null'],
  ['has its link', [download(), LINKED], '2004 done nobody null'],
  [
    'lost a file',
    [download(), uploaded('t1'), { type: 'RemoveTicket', ticketId: 't1' }],
    '2004 upload_tickets seller to_deliver',
  ],
  ['was sent as staff say', [download(), status(2004)], '2004 done nobody null'],
  ['was delivered and erased', [download(), uploaded('t1'), ERASED], '2004 done nobody null'],
  [
    'had its file before it was confirmed',
    [bought({ delivery_method: 'download', confirmation: 'manual' }), uploaded('t1'), { type: 'Accept', at: NOON }],
    '2004 done nobody null',
  ],

  ['needs its links', [download('links')], '2000 upload_links seller to_deliver'],
  ['has a file in place of its links', [download('links'), uploaded('t1')], '2000 upload_links seller to_deliver'],
  ['has its links', [download('links'), LINKED], '2004 done nobody null'],

  ['needs its barcodes', [download('barcodes')], '2000 enter_barcodes seller to_deliver'],
  ['has one barcode', [download('barcodes'), given('A1')], '2000 enter_barcodes seller to_deliver'],
  ['has its barcodes', [download('barcodes'), given('A1', 'A2')], '2004 done nobody null'],
  [
    'was refused at the door',
    [download('barcodes'), given('A1', 'A2'), refused('A1')],
    '4001 reenter_barcodes seller exceptions',
  ],
  ['has another barcode', [download('barcodes'), given('A1', 'A2'), refused('A1'), REPLACED], '2004 done nobody null'],
  [
    'was refused at the door with its file',
    [download(), uploaded('t1', 'A1'), uploaded('t2', 'A2'), refused('A1')],
    '4001 reenter_barcodes seller exceptions',
  ],
  ['has another file', [download(), uploaded('t1'), refused('A1'), uploaded('t2', 'A1')], '2004 done nobody null'],

  ['needs a parcel', [ship], '2000 enter_tracking seller to_ship'],
  ['needs a parcel of ours', [ownListing], '2000 enter_tracking staff to_ship'],
  ['has a tracking number', [ship, SHIPPED], '2002 done nobody null'],
  ['failed on its way', [ship, SHIPPED, reported('parcel_failed')], '4004 enter_tracking staff exceptions'],
  ['is shipped again', [ship, SHIPPED, reported('parcel_failed'), SHIPPED], '2002 done nobody null'],

  ['needs its label', [label], '2000 print_label seller to_ship'],
  ['has its label', [label, LABEL], '2000 wait_for_pickup carrier waiting'],
  ['was fetched', [label, LABEL, FETCHED], '2000 enter_tracking seller to_ship'],
  ['was fetched and has its number', [label, LABEL, FETCHED, SHIPPED], '2002 done nobody null'],
  [
    'needs another label',
    [label, LABEL, FETCHED, SHIPPED, reported('parcel_failed')],
    '4004 print_label staff exceptions',
  ],

  ['needs its transfers', [transfer], '2000 transfer seller to_deliver'],
  ['has one seat sent', [transfer, sent(['A1'])], '2000 transfer seller to_deliver'],
  ['has all seats sent', [transfer, sent()], '2004 wait_for_acceptance buyer waiting'],
  ['has one accepted', [transfer, sent(), answered('tra_1', 'accepted')], '2004 wait_for_acceptance buyer waiting'],
  [
    'has all accepted',
    [transfer, sent(), answered('tra_1', 'accepted'), answered('tra_2', 'accepted')],
    '2004 done nobody null',
  ],
  ['has one declined', [transfer, sent(), answered('tra_1', 'declined')], '4003 retransfer seller exceptions'],
  ['has one expired', [transfer, sent(), answered('tra_2', 'expired')], '4003 retransfer seller exceptions'],
  [
    'has one declined and one not sent',
    [transfer, sent(['A1']), answered('tra_1', 'declined')],
    '4003 transfer seller to_deliver',
  ],
  [
    'is sent again',
    [transfer, sent(), answered('tra_1', 'declined'), sent(['A1'], 'T2', 'new')],
    '2004 wait_for_acceptance buyer waiting',
  ],
  ['is a download that was transferred', [download(), sent()], '2004 wait_for_acceptance buyer waiting'],

  ['waits at the box office', [pickUp], '2000 wait_for_pickup buyer waiting'],
  ['was picked up', [pickUp, reported('picked_up')], '2003 done nobody null'],

  ['has a problem', [transfer, status(4006)], '4006 transfer staff exceptions'],
  ['has a problem after all', [download(), uploaded('t1'), reported('tickets_bounced')], '4003 done staff exceptions'],
  [
    'has a problem while the buyer waits',
    [transfer, sent(), status(4006)],
    '4006 wait_for_acceptance staff exceptions',
  ],
  ['was offered other tickets', [transfer, OFFERED], '4005 transfer buyer exceptions'],
  ['has other tickets', [transfer, sent(), OFFERED, ACCEPTED], '2005 transfer seller to_deliver'],
];

describe('the next action of an order that', () => {
  it.each(TABLE)('%s', (_what, commands, expected) => {
    const order = orderAfter(...commands);
    const { action, acts, queue } = order.next;
    expect(`${order.status?.status_code} ${action} ${acts} ${queue}`).toBe(expected);
  });
});

it('a wait for acceptance lapses with the time of the last seat, and expires what is open', () => {
  const waiting = orderAfter(transfer, sent(['A1']), sent(['A2'], 'T2', 'late'));
  expect(waiting.deadline).toEqual({ for: 'transfer', at: '2026-11-22T12:00:00.000Z' });
  const lapse = { type: 'ExpireTransfers', expectedVersion: waiting.version, at: NOON } as const;
  const lapsed = orderAfter(transfer, sent(['A1']), sent(['A2'], 'T2', 'late'), lapse);
  expect(lapsed).toMatchObject({
    status: { status_code: 4003 },
    deadline: null,
    delivery: { transfers: [{ state: 'expired' }, { state: 'expired' }] },
  });
});
