import { parseSettings, toEnvironment, type SettingName, type Settings } from '#config/settings';

/** The settings with some of them replaced, by text as in the environment; what was derived from the old ones stays. */
export function changeSettings(settings: Settings, changes: Partial<Record<SettingName, string>>): Settings {
  return parseSettings({ ...toEnvironment(settings), ...changes });
}
