import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verify } from '#upkeep/verify';
import { LedgerKey, LedgerKeys } from '#event-store/hash-chain';
import { Installation } from '../../../../test/support/orders/installation.js';
import { linesText, type OrderLine, orderLines } from '../../../../test/support/orders/order-lines.js';

const [ONE, OTHER, THIRD] = ['1', '2', '3'].map((digit) => digit.repeat(64));

let target: Installation;
const rejects = ({ events }: OrderLine) =>
  events.some(({ type, data }) => type.startsWith('Order') && isRejected(data));
const isRejected = (data: Record<string, unknown>) =>
  (data['status'] as { status?: string } | undefined)?.status === 'rejected';
const lines = orderLines(200).filter((line) => !rejects(line));

/** The order of this number, whose seats have barcodes with these digests. */
function lineWith(number: number, ...digests: readonly (string | undefined)[]): OrderLine {
  const line = structuredClone(lines[number]!);
  const last = line.events.at(-1)!;
  const barcodes = digests.map((digest, index) => ({ seat: `A${index + 1}`, digest }));
  const event_id = last.event_id.replace(/.{4}$/, 'ba0c');
  return { ...line, events: [...line.events, { ...last, event_id, type: 'BarcodesGiven', data: { barcodes } }] };
}
const imported = async (...given: readonly OrderLine[]) =>
  (await target.import(linesText(given))).map(({ outcome, reason }) => reason ?? outcome);
const used = async () =>
  (await target.owner.query<{ digest: string }>(`select encode(digest, 'hex') as digest from used_barcodes`)).rows.map(
    ({ digest }) => digest,
  );

beforeAll(async () => {
  target = await Installation.start();
});
afterAll(() => target.stop());

describe('the barcodes of imported orders', () => {
  it('are in use from then on, and a line that has one of them is refused by its name', async () => {
    expect(await imported(lineWith(0, ONE, OTHER))).toEqual(['done']);
    expect((await used()).toSorted()).toEqual([ONE, OTHER]);
    const inUse = 'another order uses the barcode of the seat A2';
    expect(await imported(lineWith(1, THIRD, OTHER))).toEqual([inUse]);
    expect(await imported(lineWith(0, ONE, OTHER))).toEqual(['unchanged']);
    expect(await used()).toHaveLength(2);
  });

  it('are of one line of a file, and the preview says so', async () => {
    const twice = [lineWith(2, THIRD), lineWith(3, THIRD)];
    const inUse = { outcome: 'refused', reason: 'another order uses the barcode of the seat A1' };
    expect(await target.preview(linesText(twice))).toMatchObject([{ outcome: 'done' }, inUse]);
    expect(await imported(...twice)).toEqual(['done', inUse.reason]);
  });

  it('are digests', async () => {
    const [reason] = await imported(lineWith(4, 'AB 100'));
    expect(reason).toContain('barcodes.0.digest: must be 64 digits of hex');
  });

  it('agree with the log', async () => {
    const keys = new LedgerKeys([new LedgerKey(target.sealer.ledgerSecret)]);
    expect((await verify(target.owner, { keys })).differences).toEqual([]);
  });
});
