import type { Command } from 'commander';
import type { z } from 'zod';
import type { Answer, Call, Route } from '../../../types/backoffice-calls.js';
import { loadSettings } from '#base/load-settings';
import type { Settings } from '#base/settings';
import { describeError, errorsIn, jsonIn } from '#client/answer-body';
import { lastAddresses } from './addresses.js';
import { changeSettings } from './supervisor/change-settings.js';
import { savedSecrets } from './supervisor/credentials.js';
import { visible } from './terminal/text-table.js';
import { Unreachable, UsageError, UserError } from './terminal/user-error.js';

/** Options that name the service. */
export type ServiceOptions = Readonly<{ url?: string; token?: string }>;

const ANSWER_WITHIN_MS = 60_000;
const ANSWER_MAX_BYTES = 1024 * 1024;
// A proxy answers this if the service is down, and the service itself if it is overloaded.
const UNAVAILABLE = new Set([502, 503, 504]);

type AnyCall = Readonly<{ path?: Readonly<Record<string, string | number>>; body?: object | null }>;

/** The running api, called as the administrator. Its own settings apply, not those of this process. */
export class RunningService {
  /** @param url with or without a path, without a trailing slash. */
  constructor(
    readonly url: string,
    readonly token: string,
    readonly settings: Settings,
  ) {}

  /**
   * Calls a route of the back office and returns the body of a 2xx.
   * @throws UserError with the reasons of a refusal, Unreachable without an answer.
   */
  async call<R extends Route>(
    route: R,
    { path = {}, body }: Call<R> & AnyCall,
    answer: z.ZodType<Answer<R>>,
  ): Promise<Answer<R>> {
    const [method = '', template = ''] = route.split(' ');
    const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
    const { status, json } = await this.request(`backoffice/v1/${filled}`, method, body);
    if (status === 401) throw new UserError(`Willcall at ${this.url} does not take this token: see BACKOFFICE_TOKEN.`);
    if (status >= 200 && status < 300) {
      const { data, success } = answer.safeParse(json);
      if (success) return data;
      throw new UserError(`What answers at ${this.url} is not Willcall, or has another version.`);
    }
    const reasons = errorsIn(json)?.map(({ message }) => `${visible(message)}.`) ?? [];
    throw new UserError(reasons.join(' ') || `Willcall at ${this.url} answered ${status}.`);
  }

  /** Whether pings go to the built-in sandbox platform, which only an api without PLATFORM_URL has. */
  async hasSandboxPlatform(): Promise<boolean> {
    const { status, json } = await this.request('sandbox/pings?limit=1', 'GET');
    return status === 200 && Array.isArray((json as { pings?: unknown } | undefined)?.pings);
  }

  private async request(path: string, method: string, body?: object | null) {
    const authorization = `Bearer ${this.token}`;
    const sent = body && { body: JSON.stringify(body), headers: { authorization, 'content-type': 'application/json' } };
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const init = { method, headers: { authorization }, redirect: 'manual' as const, signal, ...sent };
    const answered = await fetch(`${this.url}/${path}`, init)
      .then(async (response) => ({ status: response.status, json: await jsonIn(response, ANSWER_MAX_BYTES) }))
      .catch((error: unknown) => {
        throw new Unreachable(`Willcall does not answer at ${this.url}: ${describeError(error)}.`);
      });
    if (UNAVAILABLE.has(answered.status)) throw new Unreachable(`Willcall at ${this.url} answered ${answered.status}.`);
    return answered;
  }
}

/** Adds the options that name the service. */
export function withServiceOptions(command: Command): Command {
  return command
    .option('--url <address>', 'of the running service; default: PUBLIC_URL, or where `npm start` last listened')
    .option('--token <token>', 'default: BACKOFFICE_TOKEN, or the one of the demo');
}

/** The named service, else the one that this installation last started, with the administrator's token. */
export function runningService(options: ServiceOptions, given: Settings = loadSettings()): RunningService {
  const isEmbedded = given.DATABASE_URL === undefined;
  // Only `start` saves its addresses. On real servers the settings name the service.
  const settings = isEmbedded ? changeSettings(given, lastAddresses(given)) : given;
  const url = (options.url ?? settings.PUBLIC_URL).replace(/\/+$/, '');
  if (!isWebAddress(url)) throw new UsageError('--url must be an http:// or https:// address.');
  const saved = isEmbedded ? savedSecrets(given)['BACKOFFICE_TOKEN'] : undefined;
  const token = options.token ?? given.BACKOFFICE_TOKEN ?? saved;
  if (token === undefined) {
    throw new UserError('Set BACKOFFICE_TOKEN as it is for the service, or run `npm start` once.');
  }
  // A header cannot carry other characters.
  if (!/^[!-~]+$/.test(token)) throw new UsageError('A token has visible characters only.');
  return new RunningService(url, token, settings);
}

export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
