// `node tools/keep-code.mjs programs`, the end of a build: keeps what V8 compiles of the bundled programs (tools/program-loader.cjs).
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

for (const name of process.argv.slice(2)) {
  const folder = fileURLToPath(new URL(`../dist/${name}/`, import.meta.url));
  const { keepCode, load } = require(`${folder}load.cjs`);
  await load('./warm-up.main.js').warmUp();
  const scripts = readdirSync(folder).filter((file) => file.endsWith('.js'));
  // The others are the starters, which are no functions but modules.
  for (const file of scripts.filter((file) => !scripts.includes(file.replace(/\.js$/, '.main.js'))))
    keepCode(`./${file}`);
}
