import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseSettings } from '#base/load-settings';
import { DomainError } from '#domain/domain-error';
import { StorageError } from '#platform/object-store';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';
import { FileScanner } from './file-scanner.js';

const folder = temporaryFolder('scanner');
afterAll(() => rmSync(folder, { recursive: true }));

class HastyScanner extends FileScanner {
  protected override readonly withinMs = 300;
}

/** A scanner that finds what has EICAR in it, with its name and arguments as `clamdscan` has them. */
function scannerOf(script: string, Scanner = FileScanner): FileScanner {
  const program = join(folder, 'scan me');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  return new Scanner(parseSettings({ SCAN_COMMAND: `"${program}" --fdpass --no-summary -` }));
}

function fileOf(...parts: (string | Error)[]) {
  return {
    async *content(): AsyncGenerator<Buffer> {
      for (const part of parts) {
        if (part instanceof Error) throw part;
        yield Buffer.from(part);
      }
    },
  };
}

const LARGE = 'x'.repeat(4_000_000);

describe('a scanner', () => {
  it('gets the whole file on its standard input, its arguments, and nothing of our environment', async () => {
    const seen = join(folder, 'seen');
    const scanner = scannerOf(`cat > "${seen}"; echo "$@" >> "${seen}"; env >> "${seen}"`);
    await scanner.scan(fileOf(LARGE, 'end\n'));
    const text = readFileSync(seen, 'utf8');
    expect(text.startsWith(`${LARGE}end\n--fdpass --no-summary -\n`)).toBe(true);
    expect(text).not.toContain('HOME=');
  });

  it('refuses a file by 1, also before it has read all of it', async () => {
    const scanner = scannerOf('if grep -q EICAR; then exit 1; fi');
    await expect(scanner.scan(fileOf('fine'))).resolves.toBeUndefined();
    const refused = await scanner.scan(fileOf('EICAR')).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DomainError);
    expect(refused).toMatchObject({ code: 'FILE_REFUSED' });
    await expect(scannerOf('exit 1').scan(fileOf(LARGE, LARGE))).rejects.toThrow(DomainError);
  });

  it.each<[string, () => FileScanner, (string | Error)[]]>([
    ['fails', () => scannerOf('cat > /dev/null; exit 2'), ['a']],
    ['is killed', () => scannerOf('kill -9 $$'), ['a']],
    ['is not there', () => new FileScanner(parseSettings({ SCAN_COMMAND: '/no/such/scanner -' })), ['a']],
    ['says nothing in time', () => scannerOf('sleep 1000', HastyScanner), ['a']],
    ['waits for another that says nothing', () => scannerOf('sleep 1000 & wait', HastyScanner), [LARGE]],
    ['cannot be given the file', () => scannerOf('cat > /dev/null'), ['a', new StorageError('gone')]],
  ])('that %s is a fault, and the file is not taken', async (_, scanner, parts) => {
    await expect(scanner().scan(fileOf(...parts))).rejects.toThrow(StorageError);
  });

  it('is never asked without a setting', async () => {
    await new FileScanner(parseSettings({})).scan(fileOf(new Error('read')));
  });
});
