import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { appendFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SignedHead } from './signed-heads.js';

const MONTHLY = /^ledger-anchors-\d{4}-\d\d\.jsonl$/;

export class InvalidAnchor extends Error {}

/** Signed heads as lines of JSON, kept where the owner of the database cannot write. */
export class AnchorFile {
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

function documentOf({ position, head, audit, at, mac }: SignedHead): object {
  const hex = (bytes: Buffer) => bytes.toString('hex');
  return { position, head: hex(head), audit_position: audit.position, audit_hash: hex(audit.hash), at, mac: hex(mac) };
}

function anchorOf(line: string): SignedHead | undefined {
  try {
    const { position, head, audit_position, audit_hash, at, mac } = JSON.parse(line) as Record<string, unknown>;
    if (!isPosition(position) || !isPosition(audit_position) || typeof at !== 'string') return undefined;
    const [headBytes, auditHash, macBytes] = [head, audit_hash, mac].map(bytesOf);
    if (!headBytes || !auditHash || !macBytes) return undefined;
    return { position, head: headBytes, audit: { position: audit_position, hash: auditHash }, at, mac: macBytes };
  } catch {
    return undefined;
  }
}

const isPosition = (value: unknown): value is number => Number.isSafeInteger(value);

function bytesOf(value: unknown): Buffer | undefined {
  return typeof value === 'string' && /^([0-9a-f]{2})*$/.test(value) ? Buffer.from(value, 'hex') : undefined;
}
