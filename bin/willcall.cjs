#!/usr/bin/env node
// `willcall` in a clone, by `npx willcall` or `npm link`. Rebuilds outdated files, then runs the command in this process.
// Old versions of Node.js must be able to parse this file: ES5 only.
'use strict';
process.argv.splice(2, 0, 'dist/programs/willcall.js');
require('../tools/run.cjs');
