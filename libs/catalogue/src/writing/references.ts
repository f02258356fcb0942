import type { ClientBase } from 'pg';
import { CATALOGUE_LINES, type CatalogueKind, type CatalogueLine } from '#contracts/backoffice/catalogue';
import { describeIssues } from '#contracts/issues';
import { type Batch, batchOf, type LineError } from './batch.js';

type Referred = Exclude<CatalogueKind, 'events'>;

/** A document within another, which may be no more than its id. */
type Reference = Readonly<{ kind: Referred; path: string; document: Readonly<{ id: number }> }>;

/** References of the documents in a list of a document, which is named after their kind. */
export function listed(kind: Referred, documents: readonly Reference['document'][] | null | undefined): Reference[] {
  return (documents ?? []).map((document, place) => ({ kind, path: `${kind}.${place}`, document }));
}

type Writer<Kind extends Referred> = (client: ClientBase, batch: Batch<CatalogueLine<Kind>>) => Promise<LineError[]>;
/** In the order in which they need each other. */
type Writers = readonly { [Kind in Referred]: readonly [Kind, Writer<Kind>] }[Referred][];

const ONE: Readonly<Record<Referred, string>> = {
  taxonomies: 'taxonomy',
  genres: 'genre',
  venues: 'venue',
  performers: 'performer',
};

/**
 * Writes the documents within these documents that are not known yet. `sound` are those whose references are all there
 * then; the others are `faults`.
 */
export async function withReferences<Line extends Readonly<{ id: number }>>(
  client: ClientBase,
  batch: Batch<Line>,
  writers: Writers,
  referencesOf: (line: Line) => readonly Reference[],
): Promise<{ sound: Line[]; faults: LineError[] }> {
  const references = new Map([...batch.values()].map((line) => [line.id, referencesOf(line)]));
  const problems = new Map<Reference['kind'], ReadonlyMap<number, string>>();
  for (const [kind, write] of writers) {
    const ofKind = [...references.values()].flat().filter((reference) => reference.kind === kind);
    problems.set(kind, await writeUnknown(client, kind, write as Writer<typeof kind>, fullest(ofKind)));
  }
  const faults = [...references].flatMap(([id, all]) => {
    const message = all.flatMap(({ kind, path, document }) => {
      const problem = problems.get(kind)?.get(document.id);
      return problem === undefined ? [] : [`${path}${problem}`];
    });
    return message.length === 0 ? [] : [{ id, message: message.join('; ') }];
  });
  const faulty = new Set(faults.map(({ id }) => id));
  return { sound: [...batch.values()].filter(({ id }) => !faulty.has(id)), faults };
}

/** Of several that mean the same one, one that says more than its id. */
function fullest(references: readonly Reference[]): Map<number, Reference['document']> {
  const documents = new Map<number, Reference['document']>();
  for (const { document } of references) {
    const known = documents.get(document.id);
    if (!known || !('name' in known)) documents.set(document.id, document);
  }
  return documents;
}

/** What is wrong with those that are still not there, by their ids. */
async function writeUnknown<Kind extends Referred>(
  client: ClientBase,
  kind: Kind,
  write: Writer<Kind>,
  documents: ReadonlyMap<number, Reference['document']>,
): Promise<Map<number, string>> {
  const { rows } = await client.query<{ id: number }>(
    `select id from unnest($1::int[]) as given (id)
     where not exists (select from discovery_${kind} as known where known.id = given.id)`,
    [[...documents.keys()]],
  );
  const problems = new Map<number, string>();
  const sound: CatalogueLine<Kind>[] = [];
  for (const { id } of rows) {
    const document = documents.get(id);
    const { data, error } = CATALOGUE_LINES[kind].safeParse(document);
    if (data) sound.push(data as CatalogueLine<Kind>);
    else if (document && 'name' in document) problems.set(id, `.${describeIssues(error.issues)}`);
    else problems.set(id, `.id: there is no ${ONE[kind]} ${id}`);
  }
  for (const { id, message } of await write(client, batchOf(sound))) problems.set(id, `.${message}`);
  return problems;
}
