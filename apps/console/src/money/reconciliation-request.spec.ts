import { describe, expect, it } from 'vitest';
import { comparisonOf, type Typed } from './reconciliation-request.js';
import { reconciliationWords } from './reconciliation-words.js';

const words = reconciliationWords.dialog;
const FILE = new File(['ref_id,amount,paid_on\n'], 'paid.csv', { type: 'application/vnd.ms-excel' });
const TYPED: Typed = {
  kind: 'provider',
  provider: 'stripe',
  client_id: '',
  from: '2026-11-01',
  to: '2026-11-30',
  file: null,
};
const remittance = (typed: Partial<Typed>) => comparisonOf({ ...TYPED, kind: 'client', client_id: ' acme ', ...typed });

describe('the comparison with a provider', () => {
  it('is of whole days in UTC, the last one included', () => {
    expect(comparisonOf(TYPED).request).toEqual({
      body: { provider: 'stripe', from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' },
    });
    const oneDay = comparisonOf({ ...TYPED, to: TYPED.from }).request;
    expect(oneDay).toMatchObject({ body: { to: '2026-11-02T00:00:00.000Z' } });
  });

  it.each<readonly [Partial<Typed>, object]>([
    [{ from: '' }, { from: words.missing }],
    [{ to: '' }, { to: words.missing }],
    [{ to: '2026-10-31' }, { to: words.order }],
  ])('is not asked for with %j', (typed, missing) => {
    expect(comparisonOf({ ...TYPED, ...typed })).toEqual({ request: undefined, missing });
  });
});

describe('the comparison with what a platform has paid', () => {
  it('takes a file, as CSV whatever the browser calls it, and days only where given', async () => {
    const { request } = remittance({ from: '', to: '', file: FILE });
    expect(request).toMatchObject({ query: { client_id: 'acme' } });
    const file = request && 'file' in request ? request.file : undefined;
    expect([file?.type, await file?.text()]).toEqual(['text/csv', 'ref_id,amount,paid_on\n']);
    expect(remittance({ file: FILE }).request).toMatchObject({
      query: { client_id: 'acme', from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' },
    });
  });

  it.each<readonly [Partial<Typed>, object]>([
    [{ file: null }, { file: words.missing }],
    [{ client_id: ' ', file: FILE }, { client_id: words.missing }],
    [{ to: '', file: FILE }, { to: words.missing }],
  ])('is not asked for with %j', (typed, missing) => {
    expect(remittance(typed)).toEqual({ request: undefined, missing });
  });
});
