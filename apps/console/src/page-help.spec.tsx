// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import '../test/dom.js';
import type { HelpByPath } from './frame/help-by-path.js';
import { router } from './router.js';

const FILES = import.meta.glob<Readonly<{ help: HelpByPath }>>('./**/*-help.ts', { eager: true });
const pages = Object.values(FILES).flatMap(({ help }) => Object.entries(help));
const WITHOUT = ['/', '/sign-in', '/invitation', '/confirmed', '/authenticator'];

it('every page has help, of a few sentences', () => {
  const paths = Object.values(router.routesById)
    .map(({ fullPath }) => fullPath)
    .filter((path) => path && !WITHOUT.includes(path));
  expect(pages.map(([path]) => path).toSorted()).toEqual([...new Set<string>(paths)].toSorted());
  for (const [path, { sentences }] of pages) {
    expect(sentences.length, path).toBeGreaterThanOrEqual(2);
    expect(sentences.length, path).toBeLessThanOrEqual(6);
  }
});

it.each(pages)('the help of %s names a page of the documentation that exists', (_path, { docs }) => {
  const [file = '', anchor] = docs.split('#');
  const text = readFileSync(`docs/${file}`, 'utf8');
  const anchors = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title.toLowerCase().replaceAll(' ', '-'));
  if (anchor !== undefined) expect(anchors).toContain(anchor);
});
