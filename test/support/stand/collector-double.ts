import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export type ExportedSpan = Readonly<{
  service: string;
  traceId: string;
  spanId: string;
  /** Empty in the root of a trace. */
  parentSpanId: string;
  name: string;
  attributes: Readonly<Record<string, unknown>>;
}>;

type Attributes = readonly Readonly<{ key: string; value: Readonly<Record<string, unknown>> }>[];
type Exported = Readonly<{
  resourceSpans: readonly Readonly<{
    resource: { attributes: Attributes };
    scopeSpans: readonly Readonly<{
      spans: readonly (Omit<ExportedSpan, 'service' | 'attributes' | 'parentSpanId'> &
        Readonly<{ parentSpanId?: string; attributes: Attributes }>)[];
    }>[];
  }>[];
}>;

/** A collector of traces, by OTLP over HTTP with JSON. */
export class CollectorDouble {
  readonly spans: ExportedSpan[] = [];
  /** The whole bodies that arrived. */
  readonly bodies: string[] = [];
  private readonly server: Server = createServer((request, response) => {
    this.receive(request).then(
      () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
      () => response.writeHead(400).end(),
    );
  });

  static async listen(): Promise<CollectorDouble> {
    const double = new CollectorDouble();
    double.server.listen(0, '127.0.0.1');
    await once(double.server, 'listening');
    return double;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async receive(request: IncomingMessage): Promise<void> {
    if (request.url !== '/v1/traces') throw new Error(`${request.url} is not the path of traces`);
    const body = (await buffer(request)).toString();
    this.bodies.push(body);
    const { resourceSpans } = JSON.parse(body) as Exported;
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = String(recordOf(resource.attributes)['service.name']);
      for (const { traceId, spanId, parentSpanId = '', name, attributes } of scopeSpans.flatMap(({ spans }) => spans)) {
        this.spans.push({ service, traceId, spanId, parentSpanId, name, attributes: recordOf(attributes) });
      }
    }
  }
}

function recordOf(attributes: Attributes): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
