import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type CellPositions, pingsOfCells } from 'willcall-client/cells';

const { WILLCALL_URL = '', STREAM_TOKEN = '' } = process.env;
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());

const positions = existsSync('positions.json')
  ? (JSON.parse(readFileSync('positions.json', 'utf8')) as CellPositions)
  : {};
const stream = pingsOfCells({
  // One entry for each cell, with its own address and token.
  cells: { east: { url: WILLCALL_URL, token: STREAM_TOKEN } },
  positions,
  signal: stop.signal,
  onEpochChange: (cell, { last }) => {
    console.error(`the stream of ${cell} was restored and ends at ${last} now: reading all of it again`);
    return 0;
  },
});
for await (const { cell, ping, positions: reached } of stream) {
  console.log(`${cell} ${ping.position}: ${ping.order_id} #${ping.sequence} ${ping.status}`);
  writeFileSync('positions.json', JSON.stringify(reached));
}
