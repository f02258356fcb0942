import { resolve } from 'node:path';
import type { Clock } from '#base/clock';
import { databaseLocation } from '#base/database-address';
import { type Settings, usesSandbox } from '#base/settings';
import { demoPurchase } from './demo-purchase.js';
import type { Finding } from './doctor/finding.js';
import { type ConfiguredCallers, missingSettings } from './missing-settings.js';
import { type Shell, shellOf } from './terminal/shell.js';
import { workerHealth } from './supervisor/readiness.js';

export type Welcome = Readonly<{
  settings: Settings;
  /** As they were given: what is a secret here was not generated, and is not printed. */
  given: Settings;
  isDemo: boolean;
  callers: ConfiguredCallers;
  clock: Clock;
  platform: NodeJS.Platform;
  /** The result of the Redis check; undefined without Redis or without a check. */
  redis?: Finding | undefined;
  /** Where the encryption key is saved; undefined if it was set. */
  keyFile?: string | undefined;
  /** Replaces the line that says it is ready. */
  headline?: string;
}>;

const READY = 'Willcall is ready. Ctrl-C stops it.';

/** Everything that the user needs next: the addresses, and in the demo the generated credentials, else what is missing. */
export function welcomeText(welcome: Welcome): string {
  const { settings, isDemo, callers, platform, headline = READY } = welcome;
  const { PUBLIC_URL } = settings;
  const shell = shellOf(platform);
  const lines: [string, string | undefined][] = [
    ['console', PUBLIC_URL],
    ...(isDemo ? firstOperator(welcome) : []),
    ['api', PUBLIC_URL],
    ['checkout', `${PUBLIC_URL}/checkout/v1`],
    ['discovery', `${PUBLIC_URL}/2`],
    ...(settings.DOCS ? [['documentation', `${PUBLIC_URL}/docs`] as [string, string]] : []),
    ...(usesSandbox(settings) ? [['sandbox platform', `${PUBLIC_URL}/sandbox`] as [string, string]] : []),
    ['worker health', workerHealth(settings).href],
    ['data', dataLocation(settings, isDemo)],
    ...(isDemo ? credentials(welcome) : savedKey(welcome)),
  ];
  const table = lines.map(([name, value]) => `  ${name.padEnd(24)}${value}`);
  const next = isDemo && settings.SAMPLE_DATA ? nextSteps(welcome, shell) : [];
  return ['', headline, ...table, '', ...missing(), ...next].join('\n');

  function missing(): string[] {
    const sentences = [
      ...(isDemo ? [] : missingSettings(settings, callers, shell.willcall)),
      ...redisSentences(welcome.redis),
    ];
    return sentences.length === 0 ? [] : ['Still missing:', ...sentences.map((sentence) => `  - ${sentence}`), ''];
  }
}

/** Where the data is. A database address is shown without user and password. */
function dataLocation({ DATA_DIR, DATABASE_URL }: Settings, isDemo: boolean): string {
  if (isDemo || DATABASE_URL === undefined) return resolve(DATA_DIR);
  return databaseLocation(DATABASE_URL);
}

function savedKey({ keyFile }: Welcome): [string, string][] {
  return keyFile === undefined ? [] : [['encryption key', keyFile]];
}

function redisSentences(redis: Finding | undefined): string[] {
  if (redis?.advice === undefined) return [];
  const detail = redis.detail.startsWith('Redis') ? redis.detail : `Redis ${redis.detail}`;
  return [`${detail}. ${redis.advice}`];
}

function nextSteps({ settings, given, clock }: Welcome, shell: Shell): string[] {
  const orders = `${settings.PUBLIC_URL}/backoffice/v1/orders`;
  const quoted = (text: string, otherwise: string) => shell.quote(text) ?? `"${otherwise}"`;
  const bearer = (token: string | undefined) => `Authorization: Bearer ${token}`;
  const generated = given.BACKOFFICE_TOKEN === undefined ? settings.BACKOFFICE_TOKEN : undefined;
  const token = quoted(bearer(generated ?? 'YOUR_TOKEN'), bearer('YOUR_TOKEN'));
  const staff = `${shell.curl} -H ${token}`;
  const url = (address: string) => quoted(address, 'ADDRESS');
  const ship = JSON.stringify({ type: 'download', data: { url: 'https://tickets.example/1' } });
  const key = encodeURIComponent(settings.DISCOVERY_CLIENT_ID ?? '');
  return [
    'The sandbox takes no money. Buy two tickets as the ticketing platform would:',
    '',
    `  ${demoPurchase(settings, clock, shell)}`,
    '',
    `Then see ${usesSandbox(settings) ? 'the ping at the sandbox platform, and ' : ''}the order as staff do; deliver it and read what happened:`,
    '',
    `  ${staff} ${url(orders)}`,
    shell.supportsJson
      ? `  ${staff} -d ${shell.quote(ship)} ${url(`${orders}/ORDER_ID/fulfillment`)}`
      : `  (deliver it by POST /backoffice/v1/orders/ORDER_ID/fulfillment, for example at ${settings.PUBLIC_URL}/docs)`,
    `  ${staff} ${url(`${orders}/ORDER_ID/events`)}`,
    '',
    'What everybody may read, events and where they are:',
    '',
    `  ${shell.curl} ${url(`${settings.PUBLIC_URL}/2/events?client_id=${key}&per_page=3`)}`,
    '',
    'What integrations read, every change of every order; add /live to see them come:',
    '',
    `  ${staff.replace(' -H', ' -N -H')} ${url(`${settings.PUBLIC_URL}/stream/v1/pings`)}`,
    '',
  ];
}

type Secret = 'CHECKOUT_CLIENT_SECRET' | 'BACKOFFICE_TOKEN' | 'OPERATOR_PASSWORD';

/** A generated secret is shown, because nobody knows it yet. One that was set may not appear in a log or on a screen. */
function secret({ settings, given }: Welcome, name: Secret): string | undefined {
  return given[name] === undefined ? settings[name] : `(as set in ${name})`;
}

function firstOperator(welcome: Welcome): [string, string | undefined][] {
  return [
    ['sign in as', welcome.settings.OPERATOR_EMAIL],
    ['with the password', secret(welcome, 'OPERATOR_PASSWORD')],
  ];
}

function credentials(welcome: Welcome): [string, string | undefined][] {
  const { settings } = welcome;
  return [
    ['checkout client id', settings.CHECKOUT_CLIENT_ID],
    ['checkout client secret', secret(welcome, 'CHECKOUT_CLIENT_SECRET')],
    ['discovery client id', settings.DISCOVERY_CLIENT_ID],
    ['back office token', secret(welcome, 'BACKOFFICE_TOKEN')],
  ];
}
