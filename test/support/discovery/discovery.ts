import { Catalogue } from '#discovery/catalogue';
import type { Environment } from '#base/settings';
import type { CatalogueKind, CatalogueLine } from '#discovery/catalogue.contract';
import { startTestApi, type TestApi } from '../api.js';
import { type Answer, call } from '../callers.js';
import { generateCatalogue, type GeneratedCatalogue } from './generated-catalogue.js';
import { FixedClock } from '../fixed-clock.js';

export const DISCOVERY_KEY = 'key-of-the-test-client';

type Headers = Readonly<Record<string, string>>;
export type Document = Readonly<Record<string, unknown>> & Readonly<{ id: number }>;
export type Meta = Readonly<{
  took: number;
  geolocation: object | null;
  per_page: number;
  total: number;
  page: number;
}>;

/** An api with a small generated catalogue, and a client of its discovery API. */
export class Discovery {
  private constructor(
    readonly api: TestApi,
    readonly set: Omit<GeneratedCatalogue, 'events'> & Readonly<{ events: readonly Document[] }>,
  ) {}

  static async start(environment: Environment = {}): Promise<Discovery> {
    const api = await startTestApi({ DISCOVERY_CLIENT_ID: DISCOVERY_KEY, ...environment });
    const made = generateCatalogue({ events: 80, performers: 30, venues: 20, seed: 4, from: '2026-12-01', days: 60 });
    const discovery = new Discovery(api, { ...made, events: [...made.events()] });
    for (const kind of ['taxonomies', 'genres', 'venues', 'performers', 'events'] as const) {
      await discovery.write(kind, discovery.set[kind] as never);
    }
    return discovery;
  }

  async write<Kind extends CatalogueKind>(kind: Kind, lines: readonly CatalogueLine<Kind>[]): Promise<void> {
    const errors = await new Catalogue(this.api.pool, new FixedClock()).write(kind, lines);
    if (errors.length > 0) throw new Error(JSON.stringify(errors));
  }

  /** `target` is path and query below `/2`. The key is added. */
  get(target: string, headers: Headers = {}): Promise<Answer> {
    return this.raw(`${target}${target.includes('?') ? '&' : '?'}client_id=${DISCOVERY_KEY}`, headers);
  }

  raw(target: string, headers: Headers = {}, method = 'GET'): Promise<Answer> {
    return call(`${this.api.url}/2${target}`, method, undefined, headers);
  }

  /** The documents and the meta of a list. Throws if the answer is not 200. */
  async bulk(target: string): Promise<{ documents: Document[]; meta: Meta }> {
    const answer = await this.get(target);
    if (answer.status !== 200) throw new Error(`${target} was answered ${answer.status}: ${answer.text}`);
    const { meta, ...rest } = answer.body as { meta: Meta } & Record<string, Document[]>;
    return { meta, documents: Object.values(rest)[0] ?? [] };
  }

  async ids(target: string): Promise<number[]> {
    return (await this.bulk(target)).documents.map(({ id }) => id);
  }

  close(): Promise<void> {
    return this.api.close();
  }
}
