import { hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { ClientBase } from 'pg';
import type { EventArchive } from '#event-store/event-archive';
import { MissingObject } from '#platform/object-store';
import type { Differences } from '../differences.js';
import { type ArchivedLine, rootOf } from './segment-lines.js';

type Segment = Readonly<{ key: string; sha256: Buffer; merkle_root: Buffer }>;

/**
 * Compares each file of the archive with its record, one at a time, and yields its key. That the events fit their hashes is checked with
 * the log.
 * @param after the key of a file; those up to it are left out
 */
export async function* checkArchive(
  client: ClientBase,
  archive: EventArchive,
  differences: Differences,
  after: string,
): AsyncGenerator<string> {
  const { rows: segments } = await client.query<Segment>(SEGMENTS, [after]);
  for (const segment of segments) {
    const problem = await problemOf(client, archive, segment);
    if (problem) differences.add({ kind: 'archive', id: segment.key, problem });
    yield segment.key;
  }
}

const SEGMENTS = 'select key, sha256, merkle_root from archived_segments where key > $1 order by key';

async function problemOf(client: ClientBase, archive: EventArchive, segment: Segment): Promise<string | undefined> {
  const { rows } = await client.query<Pick<ArchivedLine, 'head'>>(HEADS, [segment.key]);
  if (!rootOf(rows).equals(segment.merkle_root)) return 'the heads of its streams are not those of its Merkle root';
  try {
    const content = await buffer(await archive.segment(segment.key));
    return hash('sha256', content, 'buffer').equals(segment.sha256)
      ? undefined
      : 'the file is not the one that was written';
  } catch (error) {
    if (error instanceof MissingObject) return 'the file is missing';
    throw error;
  }
}

const HEADS = 'select head from archived_streams where segment = $1 order by start';
