import { loadSettings } from '#config/settings';
import { endWithSupervisor } from '#operations/end-with-supervisor';
import { loadPostalCodes } from '../postal-codes.js';

endWithSupervisor();
// The supervisor's own; it sets the database in any case.
const { DATABASE_URL } = loadSettings();
if (DATABASE_URL !== undefined) await loadPostalCodes(DATABASE_URL).catch(() => (process.exitCode = 1));
