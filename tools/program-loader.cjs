// Loads the bundled programs. tools/bundle.mjs copies it to dist/programs/load.cjs.
//
// Each file of a bundle is one function. Beside it, `.code` has what V8 compiled of it in tools/keep-code.mjs, which saves about half of
// the processor time of a start. Node.js keeps compiled code by itself only from version 22 on, and only of CommonJS and ES modules.
'use strict';
const { createHash } = require('node:crypto');
const { readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { Script } = require('node:vm');

const DIGEST_BYTES = 32;

const requireOfNode = createRequire(__filename);
const loaded = new Map();

/** Runs a file of this folder ('./api.main.js') once. Returns its exports. */
function load(request) {
  const known = loaded.get(request);
  if (known) return known.module.exports;
  const { file, script, isFromKeptCode } = compile(request);
  const module = { exports: {} };
  loaded.set(request, { script, isFromKeptCode, module });
  script.runInThisContext()(module.exports, requireOf, module, file);
  return module.exports;
}

// The bytes that were read are not kept: all sources and codes of a program are 18 MB.
function compile(request) {
  const file = fileOf(request);
  const source = readFileSync(file);
  const cachedData = keptCode(file, source);
  // A URL, as of an ES module: libs/platform/src/source-positions.ts finds its source map by it.
  const script = new Script(source.toString(), { filename: pathToFileURL(file).href, cachedData });
  return { file, script, isFromKeptCode: cachedData !== undefined && script.cachedDataRejected === false };
}

function requireOf(request) {
  return request.startsWith('./') ? load(request) : requireOfNode(request);
}
requireOf.resolve = requireOfNode.resolve;

/** What V8 compiled, if it is whole and of this very source. V8 itself compares its own version and flags, but only the source's length. */
function keptCode(file, source) {
  let kept;
  try {
    kept = readFileSync(codeFileOf(file));
  } catch {
    return undefined;
  }
  const code = kept.subarray(DIGEST_BYTES);
  return digestOf(source, code).equals(kept.subarray(0, DIGEST_BYTES)) ? code : undefined;
}

/** Keeps what V8 has compiled so far of a file, or of one that was not loaded, what it compiles before that runs. */
function keepCode(request) {
  const { script } = loaded.get(request) ?? compile(request);
  const file = fileOf(request);
  const code = script.createCachedData();
  writeFileSync(codeFileOf(file), Buffer.concat([digestOf(readFileSync(file), code), code]));
}

/** The loaded files, and whether V8 took over their kept code. */
function filesLoaded() {
  return [...loaded].map(([request, { isFromKeptCode }]) => ({ request, isFromKeptCode }));
}

const fileOf = (request) => join(__dirname, request);
const codeFileOf = (file) => `${file}.code`;

function digestOf(source, code) {
  const hash = createHash('sha256').update(`${process.version} ${process.arch} ${source.length}\n`);
  return hash.update(source).update(code).digest();
}

module.exports = { load, keepCode, filesLoaded };
