import { z } from 'zod';
import { parseJson } from '#base/json';
import type { Settings } from '#base/settings';
import { LivePingsQuery } from '#outbound/ping-stream.contract';
import { messagesOf, schemaOf, schemasOf } from './asyncapi-components.js';
import {
  type AsyncMessage,
  EXAMPLE_CLIENT,
  EXAMPLE_WEBHOOK_SECRET,
  purchasePing,
  purchasePingAnswer,
  streamMessages,
  webhookMessages,
} from './asyncapi-messages.js';
import type { JsonValue } from './yaml-text.js';

const DESCRIPTION = `What Willcall sends by itself when something happens to an order. Operations are named from Willcall's view: it sends all messages.

Each message is sent at least once, and those of one order in their sequence. Ids are the same in every repeated delivery.`;

const HTTP_BINDING = '0.3.0';

type Addresses = Pick<Settings, 'CHECKOUT_SCHEME' | 'PUBLIC_URL'>;

/** What Willcall sends to others, as an AsyncAPI 3.0 document, from the schemas of the contracts. */
export function asyncApi({ CHECKOUT_SCHEME: scheme, PUBLIC_URL }: Addresses): JsonValue {
  const ofStream = streamMessages();
  const ofWebhooks = webhookMessages();
  const ofPings = [purchasePing(scheme), purchasePingAnswer()];
  const all = [...ofStream, ...ofWebhooks, ...ofPings];
  const document = {
    asyncapi: '3.0.0',
    info: {
      title: 'Willcall',
      version: '1',
      description: DESCRIPTION,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    defaultContentType: 'application/json',
    servers: serversOf(PUBLIC_URL),
    channels: {
      pingStream: {
        address: '/stream/v1/pings/live',
        description: 'The ping stream as server-sent events. A comment every 15 s keeps a quiet connection open.',
        servers: [{ $ref: '#/servers/willcall' }],
        messages: references(ofStream),
      },
      webhook: {
        address: null,
        description: 'The `url` of a webhook that staff have made. It gets the types that it asks for.',
        servers: [{ $ref: '#/servers/receiver' }],
        messages: references(ofWebhooks),
      },
      purchasePing: {
        address: '/markets/purchases/{order_id}/update',
        description: 'Below the path of `PLATFORM_URL`, if it has one.',
        servers: [{ $ref: '#/servers/platform' }],
        parameters: { order_id: { description: 'the order that is new or has another status' } },
        messages: references(ofPings),
      },
    },
    operations: operationsOf(ofStream, ofWebhooks),
    components: { schemas: schemasOf(all), messages: messagesOf(all), securitySchemes: securityOf(scheme) },
  };
  // Without the keys that are undefined.
  return parseJson(JSON.stringify(document)) as JsonValue;
}

function serversOf(publicUrl: string) {
  const { protocol, host, pathname } = new URL(publicUrl);
  const ofOthers = (description: string, of: string) => ({
    host: '{host}',
    protocol: 'https',
    description,
    variables: { host: { description: of } },
  });
  return {
    willcall: { host, ...(pathname !== '/' && { pathname }), protocol: protocol.slice(0, -1), description: 'Willcall' },
    receiver: ofOthers('A receiver of webhooks.', 'the host of the `url` of the webhook'),
    platform: ofOthers('The ticketing platform.', 'the host of `PLATFORM_URL`'),
  };
}

function operationsOf(ofStream: readonly AsyncMessage[], ofWebhooks: readonly AsyncMessage[]) {
  const query = (schema: z.ZodType) => schemaOf(schema, 'input');
  const http = (method: string, asked?: object) => ({ http: { method, query: asked, bindingVersion: HTTP_BINDING } });
  const send = (channel: string, names: readonly string[]) => ({
    action: 'send',
    channel: { $ref: `#/channels/${channel}` },
    messages: names.map((name) => ({ $ref: `#/channels/${channel}/messages/${name}` })),
  });
  const refId = z.object({ ref_id: z.string().optional().meta({ description: 'the reference of the purchase' }) });
  return {
    sendPingStream: {
      ...send('pingStream', namesOf(ofStream)),
      summary: 'Send what happens to whoever reads the live ping stream',
      description: 'The stream goes on after the header `Last-Event-ID`, else after `after`, else with the next entry.',
      security: [{ $ref: '#/components/securitySchemes/stream' }],
      bindings: http('GET', query(LivePingsQuery)),
    },
    sendWebhook: {
      ...send('webhook', namesOf(ofWebhooks)),
      summary: 'Tell a receiver what has happened',
      description: 'An answer from 200 to 299 counts as delivered. Others are followed by another attempt.',
      security: [{ $ref: '#/components/securitySchemes/webhook' }],
      bindings: http('POST'),
    },
    sendPurchasePing: {
      ...send('purchasePing', ['purchasePing']),
      summary: 'Tell the platform to read a purchase again',
      security: [{ $ref: '#/components/securitySchemes/platform' }],
      bindings: http('POST', query(refId)),
      reply: {
        channel: { $ref: '#/channels/purchasePing' },
        messages: [{ $ref: '#/channels/purchasePing/messages/purchasePingAnswer' }],
      },
    },
  };
}

function securityOf(scheme: string) {
  const { clientId, secret } = EXAMPLE_CLIENT;
  return {
    stream: {
      type: 'http',
      scheme: 'bearer',
      description: 'a token of `/backoffice/v1/stream-tokens`, or that of staff with `stream:read`',
    },
    webhook: {
      type: 'httpApiKey',
      in: 'header',
      name: 'webhook-signature',
      description:
        '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, keyed with the bytes of the secret (Standard Webhooks 1.0). ' +
        `The secret of the examples is \`${EXAMPLE_WEBHOOK_SECRET}\`; their bodies have no white space.`,
    },
    platform: {
      type: 'httpApiKey',
      in: 'header',
      name: 'Authorization',
      description:
        `\`${scheme} <client_id>:<signature>\`: Base64 of HMAC-SHA1 over METHOD, LF, path, LF. ` +
        `The example has the client id \`${clientId}\` and the secret \`${secret}\`.`,
    },
  };
}

const namesOf = (messages: readonly AsyncMessage[]) => messages.map(({ name }) => name);

function references(messages: readonly AsyncMessage[]) {
  return Object.fromEntries(namesOf(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }]));
}
