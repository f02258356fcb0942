import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { UploadFolder } from './upload-folder.js';

const folder = temporaryFolder('uploads');
const uploads = new UploadFolder(folder);
const NOW = Date.parse('2026-11-26T12:00:00.000Z');

function aged(path: string, minutes: number): string {
  const at = new Date(NOW - minutes * 60_000);
  utimesSync(path, at, at);
  return path;
}

it('sweeps what nobody has written for an hour, and leaves what is in hand', async () => {
  const upload = async (folderMinutes: number, fileMinutes: number) => {
    const own = await uploads.make();
    writeFileSync(join(own, '1'), 'x');
    aged(join(own, '1'), fileMinutes);
    return aged(own, folderMinutes);
  };
  // The last one is a long upload: its folder is old, and its file is being written.
  const found = [await upload(61, 61), await upload(59, 59), await upload(300, 1)];
  await uploads.sweep(NOW);
  expect(found.map((own) => existsSync(own))).toEqual([false, true, true]);
});

it('sweeps parts that earlier versions left beside the files', async () => {
  mkdirSync(join(folder, 'tickets', 'ord_1'), { recursive: true });
  const file = (name: string, minutes: number) => {
    const path = join(folder, 'tickets', 'ord_1', name);
    writeFileSync(path, 'x');
    return aged(path, minutes);
  };
  const found = [file('tkt_1', 900), file('tkt_2.17-1.part', 900), file('tkt_3.17-2.part', 5)];
  await uploads.sweepParts(NOW);
  expect(found.map((path) => existsSync(path))).toEqual([true, false, true]);
});

it('has nothing to sweep in a folder that is not there', async () => {
  const none = new UploadFolder(join(folder, 'none'));
  await none.sweep(NOW);
  await none.sweepParts(NOW);
});
