import { livePings } from 'willcall-client/pings';

const { WILLCALL_URL = '', STREAM_TOKEN = '', AFTER = '0' } = process.env;

for await (const ping of livePings({ url: WILLCALL_URL, token: STREAM_TOKEN, after: Number(AFTER) })) {
  console.log(`${ping.position}: ${ping.status_message}`);
  if (ping.status === 'rejected') break;
}
