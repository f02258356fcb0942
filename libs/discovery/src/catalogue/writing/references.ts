import type { ClientBase } from 'pg';
import { CATALOGUE_LINES, type CatalogueKind, type CatalogueLine } from '../../catalogue.contract.js';
import { describeIssues } from '#web/issues.contract';
import { type Batch, batchOf, type LineError } from './batch.js';

type EmbeddedKind = Exclude<CatalogueKind, 'events'>;

/** A document embedded in another. It may consist of the id alone. */
type Reference = Readonly<{ kind: EmbeddedKind; path: string; document: Readonly<{ id: number }> }>;

/** References to the documents in a list. The list is named after their kind. */
export function referencesTo(
  kind: EmbeddedKind,
  documents: readonly Reference['document'][] | null | undefined,
): Reference[] {
  return (documents ?? []).map((document, place) => ({ kind, path: `${kind}.${place}`, document }));
}

type Writer<Kind extends EmbeddedKind> = (
  client: ClientBase,
  batch: Batch<CatalogueLine<Kind>>,
) => Promise<LineError[]>;
/** In dependency order. */
type Writers = readonly { [Kind in EmbeddedKind]: readonly [Kind, Writer<Kind>] }[EmbeddedKind][];

const SINGULAR: Readonly<Record<EmbeddedKind, string>> = {
  taxonomies: 'taxonomy',
  genres: 'genre',
  venues: 'venue',
  performers: 'performer',
};

/**
 * Writes the embedded documents that do not exist yet. `valid` are the lines whose references all exist then; the others are
 * `errors`.
 */
export async function withReferences<Line extends Readonly<{ id: number }>>(
  client: ClientBase,
  batch: Batch<Line>,
  writers: Writers,
  referencesOf: (line: Line) => readonly Reference[],
): Promise<{ valid: Line[]; errors: LineError[] }> {
  const references = new Map([...batch.values()].map((line) => [line.id, referencesOf(line)]));
  const problems = new Map<Reference['kind'], ReadonlyMap<number, string>>();
  for (const [kind, write] of writers) {
    const ofKind = [...references.values()].flat().filter((reference) => reference.kind === kind);
    problems.set(kind, await writeMissing(client, kind, write as Writer<typeof kind>, mostComplete(ofKind)));
  }
  const errors = [...references].flatMap(([id, all]) => {
    const message = all.flatMap(({ kind, path, document }) => {
      const problem = problems.get(kind)?.get(document.id);
      return problem === undefined ? [] : [`${path}${problem}`];
    });
    return message.length === 0 ? [] : [{ id, message: message.join('; ') }];
  });
  const invalidIds = new Set(errors.map(({ id }) => id));
  return { valid: [...batch.values()].filter(({ id }) => !invalidIds.has(id)), errors };
}

/** Of several references to one document, one that holds more than its id. */
function mostComplete(references: readonly Reference[]): Map<number, Reference['document']> {
  const documents = new Map<number, Reference['document']>();
  for (const { document } of references) {
    const existing = documents.get(document.id);
    if (!existing || !('name' in existing)) documents.set(document.id, document);
  }
  return documents;
}

/** Error messages by id for the documents that could not be written. */
async function writeMissing<Kind extends EmbeddedKind>(
  client: ClientBase,
  kind: Kind,
  write: Writer<Kind>,
  documents: ReadonlyMap<number, Reference['document']>,
): Promise<Map<number, string>> {
  const { rows } = await client.query<{ id: number }>(
    `select id from unnest($1::bigint[]) as given (id)
     where not exists (select from discovery_${kind} as known where known.id = given.id)`,
    [[...documents.keys()]],
  );
  const problems = new Map<number, string>();
  const valid: CatalogueLine<Kind>[] = [];
  for (const { id } of rows) {
    const document = documents.get(id);
    const { data, error } = CATALOGUE_LINES[kind].safeParse(document);
    if (data) valid.push(data as CatalogueLine<Kind>);
    else if (document && 'name' in document) problems.set(id, `.${describeIssues(error.issues)}`);
    else problems.set(id, `.id: there is no ${SINGULAR[kind]} ${id}`);
  }
  for (const { id, message } of await write(client, batchOf(valid))) problems.set(id, `.${message}`);
  return problems;
}
