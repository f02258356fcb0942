import { loadSettings } from '#config/settings';
import { endWithSupervisor } from '#operations/end-with-supervisor';
import { loadPostalCodes } from '../database/postal-codes.js';

endWithSupervisor();
// The settings of the supervisor, which always sets DATABASE_URL.
const { DATABASE_URL } = loadSettings();
if (DATABASE_URL !== undefined) await loadPostalCodes(DATABASE_URL).catch(() => (process.exitCode = 1));
