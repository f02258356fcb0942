import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { authorizationHeader } from '#base/signature';
import { parseJson } from '#base/json';
import { headersOf, type Message } from '#delivery-kit/signed-message';
import { PurchasePingAnswer } from '#outbound/ping.contract';
import { STREAMED_PING, StreamedPing, StreamEnd } from '#outbound/ping-stream.contract';
import { entryMessage, epochHeader, testMessage } from '#outbound/webhook-message';
import { WEBHOOK_DATA, WebhookHeaders, WebhookTest } from '#outbound/webhook-message.contract';

/** What signs the example webhooks. */
export const EXAMPLE_WEBHOOK_SECRET = `whsec_${Buffer.from('This secret signs only examples.').toString('base64')}`;
/** What signs the example of a purchase ping. */
export const EXAMPLE_CLIENT = { clientId: 'example', secret: 'this-secret-signs-only-examples' };

const EPOCH = '3f9c0d1e7a42';
const SECOND_MS = 1_000;

/** A message, with the schemas of its headers and its payload. `payload` is missing if it has no body. */
export type AsyncMessage = Readonly<{
  name: string;
  summary: string;
  headers?: z.ZodObject;
  payload?: z.ZodType;
  correlationId?: Readonly<{ location: string; description: string }>;
  examples: readonly object[];
}>;

/** The events of the live ping stream. Their headers are the fields of server-sent events. */
export function streamMessages(): AsyncMessage[] {
  return [
    {
      name: 'epoch',
      summary: 'The first event, which says where the stream ends. It has no `id`.',
      headers: z.object({ event: z.literal('epoch') }),
      payload: StreamEnd,
      examples: [{ headers: { event: 'epoch' }, payload: { epoch: EPOCH, last: STREAMED_PING.position } }],
    },
    {
      name: 'ping',
      summary: 'One change of one order. It has no `event`, so `onmessage` of an EventSource receives it.',
      headers: z.object({ id: z.string().regex(/^\d+$/).meta({ description: 'the position' }) }),
      payload: StreamedPing,
      correlationId: { location: '$message.payload#/id', description: 'the same on every channel' },
      examples: [{ headers: { id: `${STREAMED_PING.position}` }, payload: STREAMED_PING }],
    },
  ];
}

/** Webhooks of every type, as they are sent. */
export function webhookMessages(): AsyncMessage[] {
  const events = Object.entries(WEBHOOK_DATA).map(([type, { meaning, data, example }]) => {
    const { id, occurred_at: at } = example;
    const sent = entryMessage({ type, id, occurred_at: at, json: JSON.stringify(example) });
    return webhook(type, meaning, data, { sent, at, epoch: EPOCH });
  });
  const at = '2026-11-26T10:00:00.000Z';
  const sent = testMessage('tst_01a204a1c5007b2f8d3e6a90c1f47b58', 'whk_01a2049f3ac07d5e91b84c2f6ea3d017', at);
  return [
    ...events,
    webhook('webhook.test', 'Staff try the webhook. No order has changed.', WebhookTest, { sent, at }),
  ];
}

/**
 * The call that tells the platform to read a purchase again.
 * @param scheme CHECKOUT_SCHEME
 */
export function purchasePing(scheme: string): AsyncMessage {
  const transactionId = `X-${scheme}-Transaction-Id`;
  const { order_id, transaction_id } = STREAMED_PING;
  const request = { method: 'POST', path: `/markets/purchases/${order_id}/update`, body: new Uint8Array(0) };
  const { clientId, secret } = EXAMPLE_CLIENT;
  return {
    name: 'purchasePing',
    summary:
      'An order is new or has another status. The call has no body. Read the purchase, which shows the status already.',
    headers: z.looseObject({
      Authorization: z.string().meta({ description: `\`${scheme} <client_id>:<signature>\`` }),
      [transactionId]: z.string().meta({ description: 'the transaction id of the change' }),
    }),
    examples: [
      {
        headers: {
          Authorization: authorizationHeader(scheme, clientId, { ...request, secret }),
          [transactionId]: transaction_id,
        },
      },
    ],
  };
}

/** The answer that makes a purchase ping count as delivered. */
export function purchasePingAnswer(): AsyncMessage {
  const { order_id } = STREAMED_PING;
  return {
    name: 'purchasePingAnswer',
    summary: 'The ping has arrived. The status is 200 to 299.',
    payload: PurchasePingAnswer,
    examples: [{ payload: { order_id } }],
  };
}

type Sent = Readonly<{ sent: Message; at: string; epoch?: string }>;

function webhook(type: string, summary: string, data: z.ZodType, { sent, at, epoch }: Sent): AsyncMessage {
  const signers = [new Webhook(EXAMPLE_WEBHOOK_SECRET)];
  return {
    name: type,
    summary,
    headers: WebhookHeaders,
    payload: z.object({ type: z.literal(type), timestamp: z.iso.datetime(), data }),
    correlationId: { location: '$message.header#/webhook-id', description: 'the same in every attempt' },
    examples: [
      {
        headers: { ...headersOf(sent, signers, Date.parse(at) + SECOND_MS), ...epochHeader(epoch) },
        payload: parseJson(sent.body),
      },
    ],
  };
}
