import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { pings } from 'willcall-client/pings';

const { WILLCALL_URL = '', STREAM_TOKEN = '' } = process.env;
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());

const saved = existsSync('position.json') ? readFileSync('position.json', 'utf8') : '{"after": 0}';
const { after, epoch } = JSON.parse(saved) as { after: number; epoch?: string };
let current = epoch;
const stream = pings({
  url: WILLCALL_URL,
  token: STREAM_TOKEN,
  after,
  ...(epoch !== undefined && { epoch }),
  onEpoch: (newEpoch) => (current = newEpoch),
  onEpochChange: ({ last }) => {
    console.error(`the stream was restored and ends at ${last} now: reading all of it again`);
    return 0;
  },
  filters: { status: ['confirmed', 'rejected'] },
  signal: stop.signal,
  onInterruption: ({ reason, waitMs }) => console.error(`${reason}; again in ${waitMs} ms`),
});
for await (const ping of stream) {
  console.log(`${ping.position}: ${ping.order_id} #${ping.sequence} ${ping.status}`);
  writeFileSync('position.json', JSON.stringify({ after: ping.position, epoch: current }));
}
