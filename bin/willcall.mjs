#!/usr/bin/env node
// `willcall` in a clone, by `npx willcall` or `npm link`: builds first what is stale, then runs the command in this process.
const folder = process.cwd();
await import('../tools/ensure.mjs');
// ensure.mjs works in the root of the clone; files that a person names are in the folder that the person is in.
process.chdir(folder);
if (!process.exitCode) await import('../dist/apps/cli/src/main.js');
