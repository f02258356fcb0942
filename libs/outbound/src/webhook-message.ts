import type { Message } from '#delivery-kit/signed-message';
import { stringifyJson } from '#base/json';

/** `json` is the wire format, which also contains `occurred_at`. */
export type Entry = Readonly<{ type: string; id: string; occurred_at: string; json: string }>;

export function entryMessage({ type, id, occurred_at, json }: Entry): Message {
  return { id, body: `{"type":"${type}","timestamp":"${occurred_at}","data":${json}}` };
}

export const TEST_TYPE = 'webhook.test';

export function testMessage(id: string, webhookId: string, at: string): Message {
  const data = { webhook_id: webhookId, message: 'This is a test. No order has changed.' };
  return { id, body: stringifyJson({ type: TEST_TYPE, timestamp: at, data }) };
}

const EPOCH_HEADER = 'willcall-epoch';

/** After a restore of the database an id that was already sent may mean a different change. */
export function epochHeader(epoch: string | undefined): Record<string, string> {
  return epoch === undefined ? {} : { [EPOCH_HEADER]: epoch };
}
