import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.js';
import { cardTraces, cvvTraces, tracesIn } from './traces.js';

const NUMBER = '374245455400126';
const secrets = [cardTraces(NUMBER), cvvTraces('0379'), cvvTraces('071')];

let folder: string;
beforeEach(() => (folder = temporaryFolder('traces')));
afterEach(() => rmSync(folder, { recursive: true }));

const found = (content: string | Buffer) => {
  const file = join(folder, 'file');
  writeFileSync(file, content);
  return tracesIn([folder], secrets).map((line) => line.replace(`${file}: `, ''));
};
const base64 = (text: string) => Buffer.from(text).toString('base64');

it.each([
  ['bare', NUMBER],
  ['in binary', Buffer.concat([Buffer.from([0, 255, 7]), Buffer.from(NUMBER), Buffer.from([200])])],
  ['as a person writes it', '3742 4545 5400 126'],
  ['with dashes', '3742-454554-00126'],
  ['in hex', Buffer.from(`{"n":"${NUMBER}"}`).toString('hex')],
  ['in Base64', base64(`{"n":"${NUMBER}"}`)],
  ['in Base64, a byte later', base64(`{"nr":"${NUMBER}"}`)],
  ['in Base64, two bytes later', base64(`{"num":"${NUMBER}"}`)],
])('finds a card number %s', (_, content) => {
  expect(found(content)).toEqual([NUMBER]);
});

it.each(['{"cvv":"0379"}', "'0379'", 'cvv=0379', '\\"0379\\"', '[0379]', '0379'])('finds a CVV in %s', (content) => {
  expect(found(content)).toEqual(['CVV 0379']);
});

it.each(['{"cvv":"071"}', '{\\"CVV\\": \\"071\\"}', 'cvv=071'])('finds a CVV of three digits in %s', (content) => {
  expect(found(content)).toEqual(['CVV 071']);
});

it.each(['071', '3742', '374245455400127', 'a0379', '03791', '1.0379', '2026-03-0379'])(
  'finds nothing in %s',
  (content) => {
    expect(found(content)).toEqual([]);
  },
);
