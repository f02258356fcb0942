import { loadSettings } from '#config/load-settings';
import { endWithSupervisor } from '#operations/end-with-supervisor';
import { showSourcePositions } from '#operations/source-positions';
import { loadPostalCodes } from '../database/postal-codes.js';

showSourcePositions();
endWithSupervisor();
// The settings of the supervisor, which always sets DATABASE_URL.
const { DATABASE_URL } = loadSettings();
if (DATABASE_URL !== undefined) await loadPostalCodes(DATABASE_URL).catch(() => (process.exitCode = 1));
