// `node tools/run.cjs <program> [arguments]`: installs and builds what is missing, then runs a program of this repository.
// The npm scripts call it instead of a "pre" script, which npm skips if `ignore-scripts` is set.
// Old versions of Node.js must be able to parse this file: ES5 only.
'use strict';
require('./node-version.cjs');
require('./run-program.cjs');
