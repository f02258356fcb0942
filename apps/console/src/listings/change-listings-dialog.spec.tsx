// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { ListingDocument } from '#listings/listing.contract';
import { refusal, serve } from '../../test/server.js';
import { shown } from '../../test/shown.js';
import { bulkWords as words } from './bulk-words.js';
import { ChangeListingsDialog } from './change-listings-dialog.js';

const LISTING: ListingDocument = {
  listing_id: 'lst-1',
  event_id: '5512',
  section: 'A',
  row: '1',
  notes: '',
  quantity: 4,
  split_rule: 'any',
  price: 100,
  fees: 5,
  wholesale_price: 90,
  tax_rate: 0,
  tax_rates: {},
  delivery_methods: [{ type: 'download', name: 'E-tickets', cost: 0 }],
  confirmation: 'automatic',
  speculative: false,
  state: 'on_sale',
  held: 0,
  version: 1,
  withdrawn_at: null,
  created_at: '2026-11-26T10:00:00.000Z',
  updated_at: '2026-11-26T10:00:00.000Z',
};
const LISTINGS: readonly ListingDocument[] = [
  LISTING,
  { ...LISTING, listing_id: 'lst-2', price: 10.05 },
  { ...LISTING, listing_id: 'lst-3', price: 1, state: 'withdrawn', withdrawn_at: '2026-11-26T10:00:00.000Z' },
];

const DONE = { listing_id: 'lst-1', outcome: 'changed' };

async function dialog(results: readonly object[] = [DONE, DONE, DONE]) {
  const asked = serve({ 'PATCH listings': { results } });
  const onDone = vi.fn();
  shown(<ChangeListingsDialog listings={LISTINGS} onDone={onDone} onClose={vi.fn()} />);
  const found = within(await screen.findByRole('dialog'));
  const change = (label: string, value: string) => fireEvent.change(found.getByLabelText(label), { target: { value } });
  const submit = () => fireEvent.click(found.getByRole('button', { name: words.submit(3) }));
  const lines = async () => {
    await waitFor(() => expect(onDone).toHaveBeenCalled());
    const bodies = asked.filter(({ route }) => route === 'PATCH listings').map(({ body }) => body);
    expect(bodies).toEqual([{ listings: expect.any(Array) }]);
    return (bodies[0] as { listings: object[] }).listings;
  };
  return { found, asked, change, submit, lines, onDone };
}

describe('a change of many listings', () => {
  it('gives all of them one price, and says so before', async () => {
    const { found, change, submit, lines } = await dialog();
    change(words.typed.price, '95');
    expect(found.getByRole('status').textContent).toBe(
      '3 listings get the price $95.00. Now they are from $1.00 to $100.00. Fees and wholesale prices stay. A listing whose price somebody changes meanwhile is refused. 1 listing is withdrawn and stays so.',
    );
    submit();
    // With the prices that were shown, so that none that a colleague sets meanwhile is overwritten.
    expect(await lines()).toEqual([
      { listing_id: 'lst-1', price: 95, if_price: 100 },
      { listing_id: 'lst-2', price: 95, if_price: 10.05 },
      { listing_id: 'lst-3', price: 95, if_price: 1 },
    ]);
  });

  it.each<readonly [keyof typeof words.typed, string, readonly object[]]>([
    [
      'percent',
      '-10',
      [
        { price: 90, if_price: 100 },
        { price: 9.05, if_price: 10.05 },
        { price: 0.9, if_price: 1 },
      ],
    ],
    ['percent', '+2.5', [{ price: 102.5 }, { price: 10.3 }, { price: 1.03 }]],
    ['amount', '0.1', [{ price: 100.1 }, { price: 10.15 }, { price: 1.1 }]],
    ['quantity', '0', [{ quantity: 0 }, { quantity: 0 }, { quantity: 0 }]],
  ])('by %s of %s sends for each its own, to a cent', async (kind, typed, expected) => {
    const { change, submit, lines } = await dialog();
    change(words.action, kind);
    change(words.typed[kind], typed);
    submit();
    expect(await lines()).toMatchObject(expected);
  });

  it('takes them off sale, and says which are so already', async () => {
    const { found, change, submit, lines } = await dialog();
    change(words.action, 'withdrawn');
    expect(found.getByRole('status').textContent).toBe(
      '2 listings are withdrawn. Orders that exist stay as they are. 1 listing is so already.',
    );
    submit();
    expect(await lines()).toMatchObject([{ state: 'withdrawn' }, { state: 'withdrawn' }, { state: 'withdrawn' }]);
  });

  it('is not sent while what was typed is no such change', async () => {
    const { found, asked, change, submit } = await dialog();
    for (const [kind, typed] of [
      ['price', '12,50'],
      ['percent', '0'],
      ['amount', 'much'],
      ['quantity', '-1'],
    ] as const) {
      change(words.action, kind);
      change(words.typed[kind], typed);
      submit();
      found.getByText(words.wrong[kind], { selector: '[class*=error]' });
    }
    expect(asked).toEqual([]);
  });

  it('shows the refused ones with their reasons, even those that the server does not name', async () => {
    const { found, change, submit, lines, onDone } = await dialog([
      DONE,
      { listing_id: 'lst-2', outcome: 'unchanged' },
      {
        listing_id: null,
        outcome: 'refused',
        errors: [{ code: 40001, message: 'Missing or invalid field: price: must be at least 0' }],
      },
    ]);
    change(words.action, 'amount');
    change(words.typed.amount, '-2');
    found.getByText(words.follows.negative(1), { exact: false });
    submit();
    await lines();
    expect(onDone).toHaveBeenCalledWith(['lst-3']);
    const outcome = within(screen.getByRole('dialog'));
    await waitFor(() => outcome.getByText(/^1 listing changed\. 1 listing was so already\.$/));
    const row = within(outcome.getByRole('table', { name: words.refusals }))
      .getByText('lst-3')
      .closest('tr');
    expect(row?.textContent).toBe('lst-3Price must be at least 0.');
  });

  it('of thousands is sent in parts, goes on after a failure where it ended, and counts all lines', async () => {
    const many = Array.from({ length: 2_500 }, (_, index) => ({ ...LISTING, listing_id: `lst-${index}` }));
    const sent: number[] = [];
    let fails = true;
    serve({
      'PATCH listings': ({ body }: { body: { listings: object[] } }) => {
        sent.push(body.listings.length);
        if (sent.length === 2 && fails) return refusal(503, 50300, 'Try again later');
        const refused = { outcome: 'refused', errors: [{ code: 41201, message: 'Stale version: price: is 7 by now' }] };
        return { results: body.listings.map((_, index) => (index === 0 ? refused : DONE)) };
      },
    });
    const onDone = vi.fn();
    shown(<ChangeListingsDialog listings={many} onDone={onDone} onClose={vi.fn()} />);
    const found = within(await screen.findByRole('dialog'));
    fireEvent.change(found.getByLabelText(words.typed.price), { target: { value: '95' } });
    fireEvent.click(found.getByRole('button', { name: words.submit(2_500) }));
    await screen.findByText(/^999 listings changed\. 1,500 listings are not changed yet\.$/);
    fails = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText(/^2,497 listings changed\.$/);
    expect(sent).toEqual([1_000, 1_000, 1_000, 500]);
    expect(onDone).toHaveBeenCalledExactlyOnceWith(['lst-0', 'lst-1000', 'lst-2000']);
    expect(screen.getAllByText('Price is 7 by now.')).toHaveLength(3);
  });
});
