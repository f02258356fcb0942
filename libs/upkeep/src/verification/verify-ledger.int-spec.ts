import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LedgerKey, LedgerKeys } from '#event-store/hash-chain';
import { Sealer } from '#base/sealing';
import { AnchorFile } from '../anchor-file.js';
import { AnchorWebhook } from '../anchors/anchor-webhook.js';
import { loadLedgerKeys } from '#event-store/ledger-keys';
import type { SignedHead } from '#event-store/signed-heads';
import { SystemClock } from '#base/clock';
import { SystemRandomness } from '#base/randomness';
import { SeededRandomness } from '#base/seeded-randomness';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { CHAINED_AT, chainFeed, testLedgerKey, testSealer } from '../../../../test/support/orders/chained-feed.js';
import { withAnchorReceiver } from '../../../../test/support/orders/anchor-receiver.js';
import { LiveOrders } from '../../../../test/support/orders/live-orders.js';
import { connect, databaseWithOrders, moveSomeToFeed, Tampering } from '../../../../test/support/orders/tampering.js';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';
import { verify } from '../verify.js';

const keys = new LedgerKeys([testLedgerKey]);
const at = CHAINED_AT;
const UNKEYED = 'the hash of the event has no key, although those of earlier events have one';

let folder: string;
let sound: TestDatabase;
/** Of each round of orders. */
let anchors: readonly SignedHead[];
let tampering: Tampering;

const auditEntry = (id: string) =>
  JSON.stringify({ id, at, actor: 'operator:opr_1', action: 'order.changed', subject: 'order:ord_1' });

beforeAll(async () => {
  folder = temporaryFolder('anchors');
  sound = await createTestDatabase();
  const pool = connect(sound);
  const orders = new LiveOrders(pool, new SeededRandomness(5), testLedgerKey);
  for (let round = 0; round < 3; round += 1) {
    await orders.live(120);
    await moveSomeToFeed(pool);
    await pool.query('select append_audit($1, $2)', [`aud_${round}`, auditEntry(`aud_${round}`)]);
    await chainFeed(sound.url, pool, join(folder, 'anchors.jsonl'));
  }
  await pool.end();
  anchors = new AnchorFile(join(folder, 'anchors.jsonl')).read();
});
afterAll(async () => {
  await sound.drop();
  rmSync(folder, { recursive: true });
});

beforeEach(async () => {
  tampering = await Tampering.with(sound);
  return () => tampering.end();
});

const found = (proof: readonly SignedHead[] = []) => tampering.found({ keys, anchors: proof });
const asNumbers = (texts: readonly string[]) => texts.map(Number);

/** Closes the gaps in the feed. */
async function renumber(): Promise<void> {
  await tampering.sql(`update feed set position = -n
    from (select position as old, row_number() over (order by position) as n from feed) as numbered where position = old`);
  await tampering.sql('update feed set position = -position');
}

/** The stream of an order that holds no tickets, with all its events before the first head. */
const anOrder = () =>
  tampering.one(
    `select stream as id from feed join orders on stream = 'order-' || id where stock_held = 0 and other_tickets is null
     group by stream having max(position) <= $1 order by stream limit 1`,
    [anchors[0]?.position],
  );

/** As if the order had never been. */
async function removeOrder(stream: string): Promise<void> {
  for (const table of ['events', 'feed', 'outbox'])
    await tampering.sql(`delete from ${table} where stream = $1`, [stream]);
  const id = stream.replace('order-', '');
  await tampering.sql('delete from orders where id = $1', [id]);
  for (const table of ['status_history', 'pings', 'personal_data_keys', 'purchase_keys']) {
    await tampering.sql(`delete from ${table} where order_id = $1`, [id]);
  }
  await renumber();
}

/** Chains an order anew, with what the database knows. */
async function recompute(stream: string): Promise<void> {
  const { rows } = await tampering.hand.query<{ position: number }>(
    'select position from events where stream = $1 order by position',
    [stream],
  );
  for (const { position } of rows) {
    await tampering.sql(
      `update events e set hash = sha256(coalesce((select p.hash from events p where p.stream = e.stream and p.position = e.position - 1),
          decode(repeat('00', 32), 'hex')) || convert_to(concat_ws(E'\\n', stream, position, event_id, type,
          to_char(recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), data::text, metadata::text), 'UTF8'))
       where stream = $1 and position = $2`,
      [stream, position],
    );
  }
}

describe('a log with a ledger', () => {
  it('agrees, and says since when it is chained', async () => {
    const { differences, ledger } = await verify(tampering.pool, { keys, anchors });
    const [feed = 0] = asNumbers(await tampering.sql('select count(*) as id from feed'));
    expect(differences).toEqual([]);
    expect(ledger).toEqual({ feed, chained: feed, since: at, unkeyed: 0, anchors: 3 });
    expect(anchors.map(({ position }) => position)).toEqual(
      asNumbers(await tampering.sql('select position as id from ledger order by position')),
    );
  });

  it('is chained further by the next process, which reads only new entries', async () => {
    const orders = new LiveOrders(tampering.pool, new SeededRandomness(6), testLedgerKey);
    await orders.live(20);
    await moveSomeToFeed(tampering.pool);
    await chainFeed(tampering.url, tampering.pool, join(folder, 'more.jsonl'));
    expect(await found([...anchors, ...new AnchorFile(join(folder, 'more.jsonl')).read()])).toEqual([]);
    expect(await tampering.sql('select position as id from ledger')).toHaveLength(4);
  });

  it('cannot be checked with another key', async () => {
    const other = new LedgerKeys([new LedgerKey(Buffer.alloc(32, 9))]);
    const differences = await tampering.found({ keys: other });
    expect(differences).toContainEqual(
      expect.stringMatching(/^ledger \| feed \| \d+ \| is signed with a key that is not/),
    );
    expect(differences).toContainEqual(
      expect.stringMatching(/^hash chain \| .* made with a key that is not known here$/),
    );
  });

  it('can be checked after a change of ENCRYPTION_KEY, because the old key is kept, sealed', async () => {
    const { id } = testLedgerKey;
    const other = new Sealer(Buffer.alloc(32, 8), new SystemRandomness());
    const sealedAnew = other.seal('ledger-key', `ledger_keys/${id}`, await storedKey());
    await tampering.sql('update ledger_keys set sealed = $1', [sealedAnew]);
    const known = await loadLedgerKeys(tampering.pool, other);
    expect(await tampering.found({ keys: known, anchors })).toEqual([]);
  });
});

/** Opened as the worker stored it. */
async function storedKey(): Promise<Buffer> {
  const [sealed = ''] = await tampering.sql(`select encode(sealed, 'hex') as id from ledger_keys`);
  expect(sealed).not.toContain(testLedgerKey.secret.toString('hex'));
  return testSealer.open('ledger-key', `ledger_keys/${testLedgerKey.id}`, Buffer.from(sealed, 'hex'));
}

describe('whoever may write everything in the database, but has no key, is found', () => {
  it('when an event was changed and its order chained anew', async () => {
    const stream = await anOrder();
    await tampering.sql(
      `update events set metadata = '{"transaction_id":"t","actor":"staff:nobody"}' where stream = $1 and position = 1`,
      [stream],
    );
    expect(await found()).toContain(`hash chain | ${stream} | 1 | the event does not fit its hash`);
    await recompute(stream);
    const differences = await found();
    expect(differences).not.toContainEqual(expect.stringContaining('hash chain'));
    expect(differences).toContain(`ledger | ${stream} | 1 | ${UNKEYED}`);
    expect(differences).toContain(
      `ledger | feed | ${anchors[0]?.position} | the feed after position 0 is not the one that was chained at ${at}`,
    );
  });

  it('when an order was added', async () => {
    const stream = await anOrder();
    await tampering.sql(
      `insert into events select 'order-forged', position, event_id, type, data, metadata, recorded_at, hash
      from events where stream = $1 and position = 1`,
      [stream],
    );
    await recompute('order-forged');
    await tampering.sql(`insert into feed select max(position) + 1, 'order-forged', 1 from feed`);
    expect(await found()).toContain(`ledger | order-forged | 1 | ${UNKEYED}`);
  });

  it('when a whole order was removed; without ledger and anchors nobody would notice', async () => {
    await removeOrder(await anOrder());
    const differs = `the feed after position 0 is not the one that was chained at ${at}`;
    expect(await found()).toContain(`ledger | feed | ${anchors[0]?.position} | ${differs}`);
    await tampering.sql('delete from ledger');
    expect(await found()).toEqual([]);
    expect(await found(anchors)).toContain(
      `ledger | anchor | ${anchors[0]?.position} | ${differs.replace('chained', 'anchored')}`,
    );
  });

  it('when a whole order was removed and the worker chained the rest anew', async () => {
    await removeOrder(await anOrder());
    await tampering.sql('delete from ledger');
    await chainFeed(tampering.url, tampering.pool, join(folder, 'anew.jsonl'));
    expect(await found()).toEqual([]);
    expect(await found(anchors)).toContainEqual(
      expect.stringMatching(/^ledger \| anchor \| .* is not the one that was anchored at/),
    );
  });

  it('when the last event of an order was removed', async () => {
    const stream = await anOrder();
    const last = 'position = (select max(position) from events where stream = $1)';
    await tampering.sql(`delete from feed where stream = $1 and stream_${last}`, [stream]);
    await tampering.sql(`delete from events where stream = $1 and ${last}`, [stream]);
    await renumber();
    expect(await found()).toContainEqual(
      expect.stringMatching(/^ledger \| feed \| \d+ \| the feed after position \d+ is not/),
    );
  });

  it('when the tail was cut', async () => {
    const cut = anchors[1]?.position ?? 0;
    const end = anchors[2]?.position ?? 0;
    await tampering.sql(
      `delete from events e using feed f where (f.stream, f.stream_position) = (e.stream, e.position) and f.position > $1`,
      [cut],
    );
    await tampering.sql('delete from feed where position > $1', [cut]);
    const ends = `the feed ends at position ${cut}, but more of it was`;
    expect(await found()).toContain(`ledger | feed | ${end} | ${ends} chained at ${at}`);
    await tampering.sql('delete from ledger where position <= $1', [cut]);
    expect((await verify(tampering.pool, { keys })).ledger).toMatchObject({ chained: cut, since: at });
    await tampering.sql('delete from ledger where position > $1', [cut]);
    const without = await found();
    expect(without).not.toContainEqual(expect.stringMatching(/^ledger \|/));
    expect(await found(anchors)).toEqual(
      expect.arrayContaining([...without, `ledger | anchor | ${end} | ${ends} anchored at ${at}`]),
    );
  });

  it('when two orders changed places in the feed', async () => {
    const places = `(select f.position from feed f join feed g on g.position = f.position + 1 and g.stream <> f.stream
      where f.stream_position = 1 and g.stream_position = 1 and f.position > ${anchors[0]?.position} limit 1)`;
    const [place = 0] = asNumbers(await tampering.sql(`select ${places} as id`));
    await tampering.sql('update feed set position = -position where position between $1 and $1 + 1', [place]);
    await tampering.sql('update feed set position = 2 * $1::bigint + 1 + position where position < 0', [place]);
    const next = anchors.find(({ position }) => position > place);
    expect(await found()).toEqual([
      `ledger | feed | ${next?.position} | the feed after position ${anchors[0]?.position} is not the one that was chained at ${at}`,
    ]);
  });

  it('when the audit log was written anew, with hashes that fit', async () => {
    await tampering.sql('truncate audit_log');
    for (const id of ['aud_0', 'aud_2']) await tampering.sql('select append_audit($1, $2) as id', [id, auditEntry(id)]);
    const differs = 'the audit log up to this entry is not the one that was';
    expect(await found()).toEqual([
      `audit | audit_log | 2 | ${differs} chained at ${at}`,
      `audit | audit_log | 3 | ${differs} chained at ${at}`,
    ]);
    await tampering.sql('delete from ledger');
    expect(await found()).toEqual([]);
    expect(await found(anchors)).toContain(`audit | audit_log | 3 | ${differs} anchored at ${at}`);
  });

  it('when a head of the ledger was changed or moved', async () => {
    const [first, second] = anchors.map(({ position }) => position);
    await tampering.sql(`update ledger set head = sha256('forged') where position = $1`, [first]);
    await tampering.sql('update ledger set position = position - 1 where position = $1', [second]);
    expect(await found()).toEqual([
      `ledger | feed | ${first} | does not fit its signature`,
      `ledger | feed | ${(second ?? 0) - 1} | does not fit its signature`,
    ]);
  });

  it('when heads were added, behind which the chain goes on nevertheless', async () => {
    const end = anchors[2]?.position ?? 0;
    await tampering.sql(
      `insert into ledger select $1::bigint + n, head, 0, ''::bytea, chained_at, mac from ledger, generate_series(1, 3) n
      where position = $1 union all select 1000000, head, 0, ''::bytea, chained_at, '' from ledger where position = $1`,
      [end],
    );
    await new LiveOrders(tampering.pool, new SeededRandomness(6), testLedgerKey).live(20);
    await moveSomeToFeed(tampering.pool);
    await tampering.sql('update ledger_keys set sealed = $1', [Buffer.alloc(99)]);
    const path = join(folder, 'behind.jsonl');
    const isAnchored = async () => new AnchorFile(path).read().some(({ position }) => position > end);
    await chainFeed(tampering.url, tampering.pool, path, isAnchored);
    expect(await storedKey()).toEqual(testLedgerKey.secret);
    expect((await found(new AnchorFile(path).read())).map((each) => each.split(' | ').at(-1))).toEqual([
      ...Array.from({ length: 3 }, () => 'does not fit its signature'),
      'is signed with a key that is not known here',
    ]);
  });

  it('when the ledger stopped long before the newest events', async () => {
    await tampering.sql('delete from ledger where position > $1', [anchors[0]?.position]);
    await tampering.sql(`update events set recorded_at = '2026-03-02T12:00:00Z' where (stream, position) =
      (select stream, stream_position from feed order by position desc limit 1)`);
    const stopped = `ledger | feed | ${anchors[0]?.position} | nothing after this position was chained, although events came until 2026-03-02T12:00:00.000Z`;
    expect(await found()).toContain(stopped);
  });
});

describe('a log of an earlier release', () => {
  it('is chained in the background, and protected from then on', async () => {
    const earlier = await databaseWithOrders();
    const old = await Tampering.with(earlier);
    await chainFeed(old.url, old.pool, join(folder, 'old.jsonl'));
    const { differences, ledger } = await verify(old.pool, { keys });
    expect(differences).toEqual([]);
    expect(ledger).toMatchObject({ unkeyed: ledger.feed, chained: ledger.feed, since: at });
    const stream = await old.one('select stream as id from feed where position = 1');
    await old.sql(`update events set event_id = 'evt_other' where stream = $1 and position = 1`, [stream]);
    const hand = tampering;
    tampering = old;
    await recompute(stream);
    tampering = hand;
    expect(await old.found({ keys })).toEqual([
      expect.stringMatching(/^ledger \| feed \| \d+ \| the feed after position 0 is not the one that was chained at/),
    ]);
    await old.end();
    await earlier.drop();
  });
});

describe('a file of anchors', () => {
  it('ends a line that a crash left incomplete, and refuses other lines', async () => {
    const path = join(folder, 'torn.jsonl');
    writeFileSync(path, readFileSync(join(folder, 'anchors.jsonl'), 'utf8').slice(0, -20));
    const [anchor] = anchors;
    if (!anchor) throw new Error('no anchor');
    await new AnchorFile(path).append(anchor);
    await new AnchorFile(path).append(anchor);
    expect(new AnchorFile(path).read()).toEqual([...anchors.slice(0, 2), anchor, anchor]);
    writeFileSync(path, 'something else\n');
    expect(() => new AnchorFile(path).read()).toThrow(/^Line 1 of .* is not an anchor\.$/);
  });

  it('is one for each month in a folder', async () => {
    const file = new AnchorFile(`${join(folder, 'monthly')}/`);
    expect(file.read()).toEqual([]);
    for (const anchor of anchors.slice(0, 2)) await file.append(anchor);
    expect(readFileSync(join(folder, 'monthly', 'ledger-anchors-2026-03.jsonl'), 'utf8').split('\n')).toHaveLength(3);
    expect(new AnchorFile(join(folder, 'monthly')).read()).toEqual(anchors.slice(0, 2));
  });
});

it('a receiver of anchors keeps what shows that the newest events were removed', async () => {
  const end = Number(await tampering.one('select max(position) as id from feed'));
  const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
  await withAnchorReceiver(204, async (url, received) => {
    const webhook = new AnchorWebhook({ url, secret, clock: new SystemClock() });
    await new LiveOrders(tampering.pool, new SeededRandomness(6), testLedgerKey).live(20);
    await moveSomeToFeed(tampering.pool);
    await chainFeed(tampering.url, tampering.pool, webhook);
    writeFileSync(join(folder, 'received.jsonl'), `${received.map(({ body }) => body).join('\n')}\n`);
  });
  const kept = new AnchorFile(join(folder, 'received.jsonl')).read();
  expect(await found(kept)).toEqual([]);
  for (const table of ['feed', 'ledger']) await tampering.sql(`delete from ${table} where position > $1`, [end]);
  const cut = `ledger | anchor | ${kept.at(-1)?.position} | the feed ends at position ${end}, but more of it was anchored at ${at}`;
  expect(await found(kept)).toContain(cut);
});
