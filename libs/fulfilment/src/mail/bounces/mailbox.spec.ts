import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.js';
import { mboxMessages, readMaildir } from './mailbox.js';

const FROM = 'From MAILER-DAEMON Mon Nov 23 04:11:02 2026\n';
const folder = temporaryFolder('mailbox');

async function messages(path: string, from = 0) {
  const found: { at: number; text: string }[] = [];
  for await (const { at, bytes } of mboxMessages(path, from)) found.push({ at, text: bytes.toString() });
  return found;
}

describe('mboxMessages', () => {
  it('splits a mailbox at its envelopes, wherever the chunks of the file end', async () => {
    const path = join(folder, 'mbox');
    // One more byte in each message, around the size of a chunk.
    const texts = Array.from({ length: 60 }, (_, index) => `Subject: ${index}\n\n${'x'.repeat(65_480 + index)}\n`);
    writeFileSync(path, texts.map((text) => FROM + text).join(''));
    const found = await messages(path);
    expect(found.map(({ text }) => text)).toEqual(texts);
    expect(await messages(path, found[58]?.at)).toEqual(found.slice(58));
    appendFileSync(path, `${FROM}Subject: new\n`);
    expect((await messages(path, found[59]?.at)).map(({ text }) => text)).toEqual([texts[59], 'Subject: new\n']);
  });

  it('keeps only the beginning of a huge message, and finds the one behind it', async () => {
    const path = join(folder, 'huge');
    writeFileSync(path, `${FROM}Subject: huge\n\n`);
    for (let count = 0; count < 64; count += 1) appendFileSync(path, 'y'.repeat(1024 * 1024));
    appendFileSync(path, `\n${FROM}Subject: small\n`);
    const found = await messages(path);
    expect(found.map(({ text }) => text.length < 300_000)).toEqual([true, true]);
    expect(found[1]?.text).toBe('Subject: small\n');
  });
});

describe('readMaildir', () => {
  it('reads each new message, and marks it as seen only after that', async () => {
    const box = join(folder, 'maildir');
    for (const part of ['new', 'cur', 'tmp']) mkdirSync(join(box, part), { recursive: true });
    writeFileSync(join(box, 'new', '1.a'), 'one');
    const read: string[] = [];
    const work = (bytes: Buffer) => Promise.resolve(void read.push(bytes.toString()));
    await expect(readMaildir(box, () => Promise.reject(new Error('killed')))).rejects.toThrow('killed');
    await readMaildir(box, work);
    await readMaildir(box, work);
    expect([read, readdirSync(join(box, 'cur'))]).toEqual([['one'], ['1.a:2,S']]);
  });

  it('waits for a folder that is not there yet', async () => {
    await readMaildir(join(folder, 'none'), () => Promise.reject(new Error('nothing to read')));
  });
});
