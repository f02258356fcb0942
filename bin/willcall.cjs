#!/usr/bin/env node
// `willcall`. In a clone (`npx willcall`, `npm link`) it rebuilds outdated files first; a packed installation has none to build. The command
// runs in this process. Old versions of Node.js must be able to parse this file: ES5 only.
'use strict';
var existsSync = require('fs').existsSync;
var resolve = require('path').resolve;

var program = 'dist/programs/willcall.js';
var tools = resolve(__dirname, '../tools/run.cjs');
if (existsSync(tools)) {
  process.argv.splice(2, 0, program);
  require(tools);
} else {
  require('../tools/node-version.cjs');
  require('./run-packed.cjs').run(resolve(__dirname, '..', program));
}
