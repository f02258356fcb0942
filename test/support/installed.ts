import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { withDirectoryLock } from '#database/directory-lock';
import { pressCtrlC, runWillcall, untilWelcome } from './willcall.js';

/** Copies a DATA_DIR that was started once, with the sample, because a first start takes three times as long as a second one. */
export async function installed(folder: string): Promise<void> {
  const made = join(inject('runFolder'), 'installed');
  await withDirectoryLock(made, async () => {
    if (!existsSync(made)) await install(made);
  });
  execFileSync('cp', ['-a', join(made, 'data'), folder]);
}

async function install(place: string): Promise<void> {
  const unfinished = `${place}.unfinished`;
  mkdirSync(unfinished, { recursive: true });
  const willcall = runWillcall('test-programs/stubbed-start.js', unfinished);
  await untilWelcome(willcall);
  pressCtrlC(willcall);
  const { code } = await willcall.ended;
  if (code !== 0) throw new Error(`The installation ended with ${code}:\n${willcall.output()}`);
  renameSync(unfinished, place);
}
