import { pings } from 'willcall-client/pings';

const answers = [
  new Response('', { status: 503 }),
  Response.json({ pings: [], next: 0 }),
  new Response('{"errors":[{"code":40100,"message":"Authentication failed"}]}', { status: 401 }),
];
const waits: number[] = [];
const dependencies = {
  fetch: async () => answers.shift() ?? Response.error(),
  sleep: async (ms: number) => waits.push(ms),
  now: () => 0,
  random: () => 0,
};
const stream = pings({ url: 'https://tickets.example', token: 'wst_1', dependencies });
await stream.next().catch((error: unknown) => console.log(`${error}`, waits));
