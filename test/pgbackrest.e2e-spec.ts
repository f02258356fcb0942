import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { missingPrograms } from '../deploy/pgbackrest/missing-programs.mjs';
import { temporaryFolder } from './support/temporary-folder.js';

const script = resolve(import.meta.dirname, '../deploy/pgbackrest/drill.mjs');

if (missingPrograms.length > 0) console.log(`Skipped: a restore by pgBackRest (no ${missingPrograms.join(', ')}).`);

describe.skipIf(missingPrograms.length > 0)('a restore by pgBackRest', () => {
  it('keeps what was bought until the instant, and reconcile names what came after it', async () => {
    const folder = join(temporaryFolder('pgbackrest'), 'drill');
    const { stdout } = await promisify(execFile)(process.execPath, [script, '--folder', folder]);
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringMatching(/^backed up; bought until [\d-]+ \S+: ord_\w+, ord_\w+; afterwards: ord_\w+, ord_\w+$/),
      expect.stringMatching(/^restored; the epoch was (?<old>\w+) and is (?!\k<old>$)\w+$/),
      expect.stringMatching(/^reconcile names what the platform knows and we do not: ord_\w+, ord_\w+$/),
      expect.stringMatching(/^verify finds no difference; sold again: ord_\w+$/),
    ]);
    expect(existsSync(folder)).toBe(false);
  });
});
