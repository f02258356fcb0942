// The end of `npm run build:server`: keeps what V8 compiles of the bundled programs (tools/program-loader.cjs).
import { readdirSync, readFileSync } from 'node:fs';
import { keepCode, load } from '../dist/programs/load.cjs';

const programs = JSON.parse(readFileSync(new URL('programs.json', import.meta.url), 'utf8'));
// These load the others.
const starters = new Set(Object.keys(programs).map((name) => `${name}.js`));
const files = readdirSync(new URL('../dist/programs/', import.meta.url)).filter((name) => name.endsWith('.js'));

await load('./warm-up.main.js').warmUp();
for (const name of files) if (!starters.has(name)) keepCode(`./${name}`);
