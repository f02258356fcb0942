import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SECRET_FILE_NAMES } from '#base/config/secret-files';
import { schema } from '#base/config/settings-schema';
import { COMPOSE_NAMES } from '#base/config/unknown-names';
import { anchorsOf, linksOf } from './support/markdown.js';

const root = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(new URL('docs', root), { encoding: 'utf8', recursive: true }).map((name) => `docs/${name}`),
].filter((path) => path.endsWith('.md'));

describe.each(pages)('%s', (page) => {
  it('has no broken link', () => {
    for (const link of linksOf(read(page))) {
      if (/^https?:/.test(link)) continue;
      const [path = '', anchor] = link.split('#');
      const file = new URL(path || page.split('/').at(-1) || '', new URL(page, root));
      expect(existsSync(file), link).toBe(true);
      if (anchor !== undefined) expect(anchorsOf(readFileSync(file, 'utf8')), link).toContain(anchor);
    }
  });
});

describe('Programs and comments', () => {
  it('name only pages and headings that exist', () => {
    const sources = ['apps', 'libs', 'tools', 'docker', 'bench'].flatMap((folder) =>
      readdirSync(new URL(folder, root), { encoding: 'utf8', recursive: true })
        .filter((name) => /\.(tsx?|[cm]?js|sh)$/.test(name))
        .map((name) => read(`${folder}/${name}`)),
    );
    const named = new Set(sources.flatMap((source) => source.match(/\bdocs\/[\w/-]+\.md(#[\w-]+)?/g) ?? []));
    expect(named.size).toBeGreaterThan(5);
    for (const name of named) {
      const [path = '', anchor] = name.split('#');
      expect(pages, name).toContain(path);
      if (anchor !== undefined) expect(anchorsOf(read(path)), name).toContain(anchor);
    }
  });
});

describe('README.md and the pages for whoever runs an installation', () => {
  it('name only existing settings', () => {
    const names = [
      'README',
      ...['install-and-upgrade', 'monitoring', 'maintenance', 'backup-and-restore'].map((name) => `docs/${name}`),
    ];
    const texts = names.map((name) => read(`${name}.md`)).join('');
    const unknown = [...texts.matchAll(/`([A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`/g)]
      .map(([, name = '']) => name)
      .filter((name) => !(name in schema.shape || SECRET_FILE_NAMES.includes(name) || COMPOSE_NAMES.includes(name)));
    expect(unknown).toEqual([]);
  });
});

describe('docs/decisions', () => {
  const decisions = pages.filter((page) => /^docs\/decisions\/[^R]/.test(page));

  it('are listed in the index', () => {
    const listed = linksOf(read('docs/decisions/README.md')).filter((link) => !link.startsWith('..'));
    expect(listed.map((link) => `docs/decisions/${link}`).toSorted()).toEqual(decisions.toSorted());
  });

  it.each(decisions)('%s has the four parts, in at most 180 words', (page) => {
    const text = read(page);
    const parts = [...text.matchAll(/^\*\*(.+)\.\*\* /gm)].map(([, part]) => part);
    expect(parts).toEqual(['Question', 'Chosen', 'Compared', 'What would change it']);
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(180);
  });
});

describe('docs/architecture.md', () => {
  const page = read('docs/architecture.md');
  /** The rows of the table under a heading, without its header. */
  const rowsUnder = (heading: string) =>
    (new RegExp(`^## ${heading}$[^]*?(?=^## |(?![^]))`, 'm').exec(page)?.[0] ?? '').match(/^\|.*$/gm)?.slice(2) ?? [];

  it('explains twenty words, each once', () => {
    const words = rowsUnder('Glossary').map((row) => row.split('|')[1]?.trim());
    expect(words).toHaveLength(20);
    expect(new Set(words).size).toBe(20);
  });

  it('names the files of thirteen changes, and only functions in these files', () => {
    const rows = rowsUnder('Where do I change …');
    expect(rows).toHaveLength(13);
    for (const row of rows) {
      const files = linksOf(row).map((link) => new URL(link, new URL('docs/', root)));
      expect(files.length, row).toBeGreaterThan(0);
      const sources = files.filter(({ href }) => /\.\w+$/.test(href)).map((file) => readFileSync(file, 'utf8'));
      const missing = identifiers(row)
        .filter((name) => name !== 'ApiErrors')
        .filter((name) => !sources.some((source) => source.includes(name)));
      expect(missing, row).toEqual([]);
    }
  });
});

describe('docs/path-of-an-order.md', () => {
  const page = read('docs/path-of-an-order.md');
  const rows = [...page.matchAll(/^\| (\d) \| \[(.+)\]\((.+)\) \| (.+) \|$/gm)].map(
    ([, number, name, link, names]) => ({
      number: Number(number),
      name: name ?? '',
      path: new URL(link ?? '', new URL('docs/', root)),
      names: identifiers(names ?? ''),
    }),
  );

  it('has nine different files', () => {
    expect(rows.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(new Set(rows.map(({ path }) => path.href)).size).toBe(rows.length);
    for (const { name, path } of rows) expect(path.href.endsWith(`/${name}`)).toBe(true);
  });

  it('names only what is in these files', () => {
    for (const { number, path, names } of rows) {
      const source = readFileSync(path, 'utf8');
      const section = new RegExp(`^## ${number}\\. [^]*?(?=^## )`, 'm').exec(page)?.[0] ?? '';
      const mentioned = [...names, ...identifiers(section)];
      expect(mentioned.length).toBeGreaterThan(1);
      const missing = mentioned.filter((name) => !new RegExp(`\\b${name}\\b`).test(source));
      expect(missing, path.href).toEqual([]);
    }
  });
});

function identifiers(text: string): string[] {
  return [...text.matchAll(/`([A-Za-z_]+)`/g)].map(([, name = '']) => name);
}
