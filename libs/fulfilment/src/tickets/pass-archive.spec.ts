import { describe, expect, it } from 'vitest';
import { PASS_FILES, zipOf } from '../../../../test/support/orders/ticket-files.js';
import { passIssue } from './pass-archive.js';

const issueOf = (content: Buffer): Promise<string | undefined> =>
  passIssue({ size: content.length, bytesAt: (at, length) => Promise.resolve(content.subarray(at, at + length)) });

const MB = 1024 * 1024;
const zeros = Buffer.alloc(30 * MB);
const withFile = (name: string, content: Buffer, statedBytes = content.length) =>
  zipOf([...PASS_FILES, { name, content, statedBytes }]);

describe('a pkpass', () => {
  it('is accepted with what a pass needs, also with pictures in languages', async () => {
    expect(await issueOf(zipOf(PASS_FILES))).toBeUndefined();
    expect(await issueOf(withFile('de.lproj/logo.png', Buffer.from('x'.repeat(50_000))))).toBeUndefined();
  });

  it.each([
    ['without its parts', zipOf(PASS_FILES.slice(1)), 'lacks pass.json'],
    ['that is no archive', Buffer.from('PK\x03\x04 and nothing else'), 'is no ZIP archive'],
    ['cut off', zipOf(PASS_FILES).subarray(0, -30), 'is no ZIP archive'],
    ['with a file of 30 MB', withFile('bomb', zeros), 'unpacks to too much'],
    ['with 10 MB of the same byte', withFile('bomb', zeros.subarray(0, 10 * MB)), 'unpacks to too much'],
    ['that is encrypted', encrypted(zipOf(PASS_FILES)), 'is encrypted'],
    ['that hides 30 MB behind a small number', withFile('bomb', zeros, 1_000), 'is a broken ZIP archive'],
    ['of many small bombs', zipOf([...PASS_FILES, ...bombs(60, 0.4 * MB)]), 'unpacks to too much'],
    ['of very many files', zipOf(bombs(501, 1)), 'has more than 500 files'],
    ['that leads out of its folder', withFile('../pass.json', Buffer.from('x')), 'is a broken ZIP archive'],
    ['with a file of the system', withFile('/etc/passwd', Buffer.from('x')), 'is a broken ZIP archive'],
    ['with two files of a name', withFile('pass.json', Buffer.from('x')), 'has two files of the same name'],
  ])('is refused %s', async (_what, content, issue) => {
    expect(await issueOf(content)).toBe(issue);
  });
});

/** The headers of every file say so. */
function encrypted(archive: Buffer): Buffer {
  const marked = Buffer.from(archive);
  const mark = (header: string, flags: number) => {
    for (let at = marked.indexOf(header); at >= 0; at = marked.indexOf(header, at + 1)) marked[at + flags]! |= 1;
  };
  mark('PK\x03\x04', 6);
  mark('PK\x01\x02', 8);
  return marked;
}

/** Each is within what one file may unpack to. */
function bombs(count: number, bytes: number) {
  const random = Array.from({ length: 64 }, (_, index) => String.fromCharCode(33 + ((index * 37) % 90))).join('');
  const content = Buffer.alloc(Math.ceil(bytes), random);
  for (let at = 0; at < content.length; at += 61) content[at] = (at * 2_654_435_761) & 0xff;
  return Array.from({ length: count }, (_, index) => ({ name: `bomb-${index}`, content }));
}
