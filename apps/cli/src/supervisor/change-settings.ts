import { parseSettings, toEnvironment } from '#base/load-settings';
import type { SettingName, Settings } from '#base/settings';

/** The settings with some of them replaced, as texts like in the environment. Values derived from the old ones do not change. */
export function changeSettings(settings: Settings, changes: Partial<Record<SettingName, string>>): Settings {
  return parseSettings({ ...toEnvironment(settings), ...changes });
}
