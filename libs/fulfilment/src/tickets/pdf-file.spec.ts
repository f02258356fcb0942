import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { pdfIssue } from './pdf-file.js';

const pdf = (...objects: (string | Buffer)[]): Buffer =>
  Buffer.concat(['%PDF-1.7\n', ...objects, '\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n'].map((part) => Buffer.from(part)));
const issueOf = (bytes: Buffer) =>
  pdfIssue({ size: bytes.length, bytesAt: (at, length) => Promise.resolve(bytes.subarray(at, at + length)) });
const stream = (dictionary: string, data: Buffer | string) =>
  Buffer.concat(
    [`7 0 obj\n<< ${dictionary} >>\nstream\r\n`, data, '\nendstream\nendobj\n'].map((part) => Buffer.from(part)),
  );
const SCRIPT = '3 0 obj\n<< /S /JavaScript /JS (app.alert(1)) >>\nendobj\n';
const PACKED = '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode';
const page = '2 0 obj\n<< /Type /Page >>\nendobj\n';

describe('a PDF', () => {
  it.each<[string, string | Buffer, string]>([
    ['a script', SCRIPT, 'has a script'],
    ['a script with numbers for letters', SCRIPT.replace('/JavaScript', '/J#61va#53cript'), 'has a script'],
    ['a name of scripts', '3 0 obj\n<< /Names << /JavaScript 5 0 R >> >>\nendobj\n', 'has a script'],
    ['a script of a rendition', '3 0 obj\n<< /S /Rendition /JS 5 0 R >>\nendobj\n', 'has active media'],
    ['a script alone', '3 0 obj\n<< /#4AS (app.alert(1)) >>\nendobj\n', 'has a script'],
    ['a program', '3 0 obj\n<< /S /Launch /F (cmd.exe) >>\nendobj\n', 'has an action that reaches beyond it'],
    [
      'an address at opening',
      '1 0 obj\n<< /OpenAction << /S /URI /URI (http://x) >> >>\n',
      'does something when it is opened',
    ],
    ['another file', '3 0 obj\n<< /Names << /EmbeddedFiles 4 0 R >> >>\nendobj\n', 'carries another file'],
    ['a form of its own', '3 0 obj\n<< /AcroForm << /XFA [(a) 4 0 R] >> >>\nendobj\n', 'has a form with scripts'],
    ['a password', 'trailer\n<< /Encrypt 9 0 R >>\n', 'is encrypted, so that it cannot be checked'],
    ['a packed script', stream(PACKED, deflateSync(SCRIPT)), 'has a script'],
    [
      'a packed script of another type',
      stream(PACKED.replace('/Type /ObjStm', '/Subtype /Image'), deflateSync(SCRIPT)),
      'has a script',
    ],
    [
      'a packed script, its type in numbers',
      stream(PACKED.replace('ObjStm', 'Obj#53tm').replace('First', 'F#69rst'), deflateSync(SCRIPT)),
      'has a script',
    ],
    ['a script that is packed without a filter', stream('/Type /ObjStm /N 1 /First 4', SCRIPT), 'has a script'],
  ])('with %s is refused', async (_, content, issue) => {
    expect(await issueOf(pdf(page, content))).toBe(issue);
    // Wherever a window of the search ends.
    expect(await issueOf(pdf(page, ' '.repeat(1024 * 1024 - 120), content))).toBe(issue);
  });

  it('is searched wherever the keyword of a packed script lies', async () => {
    const content = stream(PACKED, deflateSync(SCRIPT));
    const before = pdf(page).indexOf('\ntrailer') + content.indexOf('stream');
    for (const shift of [-1, 0, 1, 4, 6, 8, 9]) {
      const blank = ' '.repeat(1024 * 1024 - before - shift);
      expect(await issueOf(pdf(page, blank, content)), String(shift)).toBe('has a script');
    }
  });

  it.each<[string, Buffer]>([
    [
      'packed twice',
      stream(PACKED.replace('/FlateDecode', '[/FlateDecode /FlateDecode]'), deflateSync(deflateSync(SCRIPT))),
    ],
    ['packed by other means', stream(PACKED.replace('/FlateDecode', '/LZWDecode'), 'x')],
    [
      'packed by other means, after a string that looks like another object',
      stream(`/Type /ObjStm /First 4 /X (1 0 obj) /Filter /LZWDecode`, 'x'),
    ],
    ['packed by rows', stream(`${PACKED} /DecodeParms << /Predictor 12 >>`, deflateSync(SCRIPT))],
    ['packed as another object says', stream(PACKED.replace('/FlateDecode', '8 0 R'), deflateSync(SCRIPT))],
    ['broken', stream(PACKED, deflateSync(SCRIPT).subarray(0, 20))],
    ['a bomb', stream(PACKED, deflateSync(Buffer.alloc(64 * 1024 * 1024)))],
  ])('whose objects are %s is refused, because they cannot be read', async (_, content) => {
    expect(await issueOf(pdf(page, content))).toBe('packs its objects so that they cannot be checked');
  });

  it.each<[string, string | Buffer]>([
    ['pages only', page],
    ['packed pages', stream(PACKED, deflateSync(`2 0 ${page}`))],
    ['a place where it opens', '1 0 obj\n<< /OpenAction [2 0 R /Fit] >>\nendobj\n'],
    ['an action to go there', '1 0 obj\n<< /OpenAction << /S /GoTo /D [2 0 R /Fit] >> >>\nendobj\n'],
    ['a reference to it', '1 0 obj\n<< /OpenAction 5 0 R >>\nendobj\n'],
    ['a link', '3 0 obj\n<< /A << /S /URI /URI (https://venue.example) >> >>\nendobj\n'],
    [
      'an outline before a picture',
      Buffer.concat([Buffer.from('4 0 obj\n<< /First 5 0 R >>\nendobj\n'), stream('/Filter /DCTDecode', 'x')]),
    ],
    ['a cross-reference in rows', stream('/Type /XRef /Filter /FlateDecode /DecodeParms << /Predictor 12 >>', 'x')],
    ['a picture that has the letters by chance', stream('/Subtype /Image', '..../JS(../XFA[..')],
    ['words like names', '3 0 obj\n(JavaScript, Launch)\n/LaunchPad /JSON\nendobj\n'],
  ])('with %s is a ticket', async (_, content) => {
    expect(await issueOf(pdf(page, content))).toBeUndefined();
  });
});
