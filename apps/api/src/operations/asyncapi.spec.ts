import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { verifyPurchasePing } from '#client/purchase-ping';
import { verifyWebhook } from '#client/webhooks';
import { asyncApi } from './asyncapi.js';
import { EXAMPLE_CLIENT, EXAMPLE_WEBHOOK_SECRET } from './asyncapi-messages.js';

type Example = Readonly<{ headers?: Record<string, string>; payload?: unknown }>;
type Message = Readonly<{ headers?: object; payload?: object; examples: readonly [Example] }>;
type Document = Readonly<{
  servers: Readonly<Record<string, object>>;
  channels: Readonly<Record<string, { address: string | null; messages: Record<string, object> }>>;
  operations: Readonly<Record<string, { bindings: { http: { query: { properties: object } } } }>>;
  components: Readonly<{ messages: Readonly<Record<string, Message>> }>;
}>;

const OFFICIAL = createRequire(import.meta.url).resolve('@asyncapi/specs/schemas/3.0.0.json');

const documentWith = (CHECKOUT_SCHEME: string, PUBLIC_URL: string) =>
  asyncApi({ CHECKOUT_SCHEME, PUBLIC_URL }) as unknown as Document;

const document = documentWith('XX', 'http://127.0.0.1:3000');
const messages = Object.entries(document.components.messages);

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, 'document');

/** What the schema at `path` of the document says against a value. */
function faultsOf(path: string, value: unknown): string | undefined {
  return ajv.validate({ $ref: `document#${path}` }, value) ? undefined : ajv.errorsText();
}

describe('the AsyncAPI document', () => {
  it('follows the official schema', () => {
    // The official schema contains its own dialect.
    const judge = new Ajv({ strict: false, meta: false, validateSchema: false });
    addFormats.default(judge);
    const official = JSON.parse(readFileSync(OFFICIAL, 'utf8')) as object;
    expect(judge.validate(official, document) ? undefined : judge.errorsText()).toBeUndefined();
    expect(judge.validate(official, { ...document, channels: { webhook: { adress: null } } })).toBe(false);
  });

  it('has no broken reference', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(30);
    for (const [, reference = ''] of references) {
      const at = (value: unknown, key: string) => (value as Record<string, unknown> | undefined)?.[key];
      expect(reference.split('/').reduce<unknown>(at, document), reference).toBeDefined();
    }
  });

  it.each(messages)('has an example of %s that is as its schemas say', (name, { headers, payload, examples }) => {
    const place = `/components/messages/${name}`;
    const [example] = examples;
    expect([example.headers !== undefined, example.payload !== undefined]).toEqual([!!headers, !!payload]);
    if (headers) expect(faultsOf(`${place}/headers`, example.headers)).toBeUndefined();
    if (payload) expect(faultsOf(`${place}/payload`, example.payload)).toBeUndefined();
    expect(faultsOf(`${place}/${payload ? 'payload' : 'headers'}`, {})).toContain('required');
  });

  it('has examples of webhooks that are signed as the description says', () => {
    const names = Object.keys(document.channels['webhook']!.messages);
    expect(names).toContain('order.status');
    for (const name of names) {
      const [{ headers = {}, payload }] = document.components.messages[name]!.examples;
      const now = () => Number(headers['webhook-timestamp']) * 1_000;
      const body = JSON.stringify(payload);
      const event = verifyWebhook({ headers, body }, { secrets: [EXAMPLE_WEBHOOK_SECRET], now });
      expect(event).toEqual({ id: headers['webhook-id'], ...(payload as object) });
    }
  });

  it('has an example of a purchase ping that is signed as the description says, in any scheme', () => {
    const { channels, components, servers } = documentWith('ACME', 'https://tickets.example/shop');
    const [{ payload }] = components.messages['purchasePingAnswer']!.examples;
    const { order_id } = payload as { order_id: string };
    const url = channels['purchasePing']!.address!.replace('{order_id}', order_id);
    const [{ headers = {} }] = components.messages['purchasePing']!.examples;
    const { clientId, secret } = EXAMPLE_CLIENT;
    const ping = verifyPurchasePing({ url, headers }, { clientId, secrets: [secret], scheme: 'ACME' });
    expect(ping).toEqual({ orderId: order_id, refId: undefined, transactionId: 'web-4711' });
    expect(servers['willcall']).toMatchObject({ protocol: 'https', host: 'tickets.example', pathname: '/shop' });
  });

  it('has the address and the arguments that the live stream has in the OpenAPI document', () => {
    const text = readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8');
    type Route = { get: { parameters: { in: string; name: string }[] } };
    const { paths } = JSON.parse(text) as { paths: Record<string, Route> };
    const { parameters } = paths[document.channels['pingStream']!.address!]!.get;
    const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    expect(Object.keys(document.operations['sendPingStream']!.bindings.http.query.properties)).toEqual(names);
  });
});
