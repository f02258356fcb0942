import { expect, it } from 'vitest';
import { pdfText } from '../../../test/support/pdf-text.js';
import { ReportPages } from './report-pages.js';
import { TrueTypeFont } from './truetype-font.js';

const font = TrueTypeFont.load();

function report(...names: readonly string[]): Buffer {
  const pages = new ReportPages(font, 'Evidence', 'Order ord_1');
  pages.heading('The buyer');
  for (const name of names) pages.fact('Name', name);
  return pages.bytes();
}

it('is the same bytes for the same texts', () => {
  const names = ['Ada Lovelace', '王小明', '김철수', '山田 さん'];
  expect(report(...names).equals(report(...names))).toBe(true);
});

it.each([
  'Łukasz Żółć',
  'Nguyễn Thị Đông',
  'Ελένη Παπαδοπούλου',
  'Дмитрий',
  'Արամ',
  'ნინო',
  '王小明',
  '김철수',
  '山田 太郎 さん',
])('shows the name %s', (name) => {
  expect(pdfText(report(name)).replaceAll('\n', '')).toContain(name);
});

it('names the fonts of other writings, which readers bring', () => {
  const fonts = (name: string) => [
    ...report(name)
      .toString('latin1')
      .matchAll(/BaseFont \/([\w-]+) \/Encoding/g),
  ];
  expect(fonts('Ada').map(([, font]) => font)).toEqual(['DejaVuSansCondensed']);
  expect(fonts('王小明').map(([, font]) => font)).toContain('STSong-Light');
  expect(fonts('山田 さん').map(([, font]) => font)).toContain('HeiseiKakuGo-W5');
  expect(fonts('김철수').map(([, font]) => font)).toContain('HYGoThic-Medium');
});

it('shows a character that it has no font for by its number', () => {
  expect(pdfText(report('Thai ส'))).toContain('Thai [U+0E2A]');
});

it('keeps a short row on one page', () => {
  const pages = new ReportPages(font, 'Evidence', 'Order ord_1');
  for (let line = 1; line <= 40; line += 1) pages.fact(`Line ${line}`, 'begun and '.repeat(20) + 'ended');
  const [first = ''] = pdfText(pages.bytes()).split('Order ord_1 · page 1');
  expect(first.trim()).toMatch(/ended$/);
});

it('goes on on the next page, numbers the pages, and breaks what has no blanks', () => {
  const pages = new ReportPages(font, 'Evidence', 'Order ord_1');
  for (let line = 1; line <= 80; line += 1) pages.fact(`Line ${line}`, 'word '.repeat(30).trim());
  pages.smallRow({ text: 'f'.repeat(500), share: 0.5 });
  const text = pdfText(pages.bytes());
  expect(text).toContain('Line 80');
  expect(text).toContain('Order ord_1 · page 4 of 4');
  expect(
    text
      .split('\n')
      .filter((line) => /^f+$/.test(line))
      .join(''),
  ).toHaveLength(500);
});
