import type { Clock } from '#ambient/clock';
import type { Settings } from '#config/settings';
import { demoPurchase } from './demo-purchase.js';
import { workerHealth } from './supervisor/readiness.js';

const READY = 'Willcall is ready. Ctrl-C stops it.';

/** What a person needs to go on: where everything is, and in the demo the credentials that were made up. */
export function printWelcome(settings: Settings, isDemo: boolean, clock: Clock, headline = READY): void {
  const { PUBLIC_URL } = settings;
  const lines: [string, string | undefined][] = [
    ['api', PUBLIC_URL],
    ['checkout', `${PUBLIC_URL}/checkout/v1`],
    ['discovery', `${PUBLIC_URL}/2`],
    ['documentation', `${PUBLIC_URL}/docs`],
    ...(settings.PLATFORM_URL === undefined ? [['sandbox platform', `${PUBLIC_URL}/sandbox`] as [string, string]] : []),
    ['worker health', workerHealth(settings).href],
    ...(isDemo ? credentials(settings) : []),
  ];
  const table = lines.map(([name, value]) => `  ${name.padEnd(24)}${value}`);
  const next = isDemo && settings.SAMPLE_DATA ? nextSteps(settings, clock) : [];
  console.log(['', headline, ...table, '', ...next].join('\n'));
}

function nextSteps(settings: Settings, clock: Clock): string[] {
  const orders = `${settings.PUBLIC_URL}/backoffice/v1/orders`;
  const staff = `-H 'Authorization: Bearer ${settings.BACKOFFICE_TOKEN}'`;
  const ship = JSON.stringify({ type: 'download', data: { url: 'https://tickets.example/1' } });
  return [
    'The sandbox takes no money. Buy two tickets as the ticketing platform would:',
    '',
    `  ${demoPurchase(settings, clock)}`,
    '',
    'Then see the ping at the sandbox platform, and the order as staff do; deliver it and read what happened:',
    '',
    `  curl ${staff} '${orders}'`,
    `  curl ${staff} -d '${ship}' '${orders}/ORDER_ID/fulfillment'`,
    `  curl ${staff} '${orders}/ORDER_ID/events'`,
    '',
    'What everybody may read, events and where they are:',
    '',
    `  curl '${settings.PUBLIC_URL}/2/events?client_id=${settings.DISCOVERY_CLIENT_ID}&per_page=3'`,
    '',
    'What integrations read, every change of every order; add /live to see them come:',
    '',
    `  curl -N ${staff} '${settings.PUBLIC_URL}/stream/v1/pings'`,
    '',
  ];
}

function credentials(settings: Settings): [string, string | undefined][] {
  return [
    ['checkout client id', settings.CHECKOUT_CLIENT_ID],
    ['checkout client secret', settings.CHECKOUT_CLIENT_SECRET],
    ['discovery client id', settings.DISCOVERY_CLIENT_ID],
    ['back office token', settings.BACKOFFICE_TOKEN],
  ];
}
