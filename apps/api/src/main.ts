import 'reflect-metadata';
import { setFlagsFromString } from 'node:v8';
import { endWithSupervisor } from '#platform/end-with-supervisor';
import { startService } from '#platform/service-start';
import { showSourcePositions } from '#platform/source-positions';
import { TimeOrderedIds } from '#base/ids';
import { startApi } from './start-api.js';

// V8 makes objects in the old generation right away if others from the same place in the code lived long. The caches that an api loads
// at its start teach it that of the rows of PostgreSQL, and then most of a request becomes old garbage: a read took a quarter longer.
setFlagsFromString('--no-allocation-site-pretenuring');
// By default V8 lets old garbage grow to 100 MB before it collects it.
setFlagsFromString('--heap-growing-percent=40');

showSourcePositions();
endWithSupervisor();
// Awaited by the file that tools/bundle.mjs writes for this program. A bundle cannot await at its top level.
export const ended = startService('api', async ({ settings, logger, exitWith }) => {
  const { address } = await startApi(settings, logger, new TimeOrderedIds(), exitWith);
  return address;
});
