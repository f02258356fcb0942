import { loadSettings } from '#base/load-settings';
import { endWithSupervisor } from '#platform/end-with-supervisor';
import { showSourcePositions } from '#platform/source-positions';
import { loadPostalCodes } from '../database/postal-codes.js';

showSourcePositions();
endWithSupervisor();
// The settings of the supervisor, which always sets DATABASE_URL.
const { DATABASE_URL } = loadSettings();
// Awaited by the file that tools/bundle.mjs writes for this program. A bundle cannot await at its top level.
export const ended =
  DATABASE_URL === undefined ? undefined : loadPostalCodes(DATABASE_URL).catch(() => (process.exitCode = 1));
