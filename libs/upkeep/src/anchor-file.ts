import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { appendFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { anchorOf, documentOf } from '#event-store/anchor-document';
import type { AnchorTarget } from '#event-store/anchoring';
import type { SignedHead } from '#event-store/signed-heads';

const MONTHLY = /^ledger-anchors-\d{4}-\d\d\.jsonl$/;

export class InvalidAnchor extends Error {}

/** Signed heads as lines of JSON, kept where the owner of the database cannot write. */
export class AnchorFile implements AnchorTarget {
  readonly place = 'file';
  readonly #begun = new Set<string>();

  /** @param path a file, or an existing folder, which gets a file for each month */
  constructor(private readonly path: string) {}

  /** Returns when the disk has it. A missing file is created. */
  async append(anchor: SignedHead): Promise<void> {
    const file = this.#isFolder() ? join(this.path, `ledger-anchors-${anchor.at.slice(0, 7)}.jsonl`) : this.path;
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    // After a crash of the machine the last line may be incomplete.
    const start = this.#begun.has(file) || endsWithLine(file) ? '' : '\n';
    await appendFile(file, `${start}${JSON.stringify(documentOf(anchor))}\n`, { mode: 0o644, flush: true });
    this.#begun.add(file);
  }

  /** None if there is no file yet. @throws InvalidAnchor, and the errors of reading a file */
  read(): SignedHead[] {
    if (!existsSync(this.path)) return [];
    if (!this.#isFolder()) return anchorsIn(this.path);
    const names = readdirSync(this.path).filter((name) => MONTHLY.test(name));
    return names.toSorted().flatMap((name) => anchorsIn(join(this.path, name)));
  }

  #isFolder(): boolean {
    return this.path.endsWith('/') || statSync(this.path, { throwIfNoEntry: false })?.isDirectory() === true;
  }
}

function endsWithLine(file: string): boolean {
  return !existsSync(file) || /(^|\n)$/.test(readFileSync(file, 'utf8').slice(-1));
}

function anchorsIn(file: string): SignedHead[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      const isIncomplete = line.startsWith('{') && !line.endsWith('}');
      if (line === '' || isIncomplete) return [];
      const anchor = anchorOf(line);
      if (!anchor) throw new InvalidAnchor(`Line ${index + 1} of ${file} is not an anchor.`);
      return [anchor];
    });
}
