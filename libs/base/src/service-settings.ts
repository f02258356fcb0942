import { fileNameOf } from './config/secret-files.js';
import { loadSettings, SERVICE_NEEDS, settingWarnings, toEnvironment } from './load-settings.js';
import { OWNER_ONLY, type Settings } from './settings.js';

/**
 * The settings of api and worker. The owner's login is taken out of them and of the environment, so that whoever takes over the process does
 * not find it there. Those of OpenTelemetry are put into the environment, from which its packages read them: they may come from `.env`.
 * @returns also one sentence for each name that was probably meant as a setting, and one if the owner's login was given
 * @throws SettingsError with all errors
 */
export function loadServiceSettings(): { settings: Settings; warnings: readonly string[] } {
  const { [OWNER_ONLY]: owner, ...settings } = loadSettings(SERVICE_NEEDS);
  const names = [OWNER_ONLY, fileNameOf(OWNER_ONLY)];
  const where = names.some((name) => process.env[name] !== undefined) ? 'the environment' : '.env';
  for (const name of names) delete process.env[name];
  for (const [name, value] of Object.entries(toEnvironment(settings as Settings))) {
    if (name.startsWith('OTEL_')) process.env[name] = value;
  }
  const advice = `${OWNER_ONLY} in ${where} is the owner's login. Api and worker must not see it: give it only to \`migrate\`, \`maintenance\` and \`npm start\`.`;
  return { settings: settings as Settings, warnings: [...settingWarnings(), ...(owner === undefined ? [] : [advice])] };
}
