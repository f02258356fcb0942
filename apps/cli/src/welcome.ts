import type { Settings } from '#config/settings';
import { workerHealth } from './supervisor/readiness.js';

/** What a person needs to go on: where everything is, and in the demo the credentials that were made up. */
export function printWelcome(settings: Settings, isDemo: boolean): void {
  const { PUBLIC_URL } = settings;
  const lines: [string, string | undefined][] = [
    ['api', PUBLIC_URL],
    ['checkout', `${PUBLIC_URL}/checkout/v1`],
    ['documentation', `${PUBLIC_URL}/docs`],
    ...(settings.PLATFORM_URL === undefined ? [['sandbox platform', `${PUBLIC_URL}/sandbox`] as [string, string]] : []),
    ['worker health', workerHealth(settings).href],
    ...(isDemo ? credentials(settings) : []),
  ];
  const table = lines.map(([name, value]) => `  ${name.padEnd(24)}${value}`);
  console.log(['', 'Willcall is ready. Ctrl-C stops it.', ...table, ''].join('\n'));
}

function credentials(settings: Settings): [string, string | undefined][] {
  return [
    ['checkout client id', settings.CHECKOUT_CLIENT_ID],
    ['checkout client secret', settings.CHECKOUT_CLIENT_SECRET],
    ['discovery client id', settings.DISCOVERY_CLIENT_ID],
    ['back office token', settings.BACKOFFICE_TOKEN],
  ];
}
