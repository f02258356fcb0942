import type { ClientBase } from 'pg';
import type { CatalogueLine } from '#contracts/backoffice/catalogue';
import type { Batch, LineError } from './batch.js';
import { refreshWhatHolds } from './refresh.js';
import { taxonomyRow } from './rows.js';
import { faultsOfTree } from './tree.js';
import { type Table, upsert } from './upsert.js';

const TABLE: Table = {
  name: 'discovery_taxonomies',
  own: 'id int, name text, slug text, parent_id int, document json',
};

/** Writes taxonomies, and anew what holds those that changed or moved. */
export async function writeTaxonomies(
  client: ClientBase,
  batch: Batch<CatalogueLine<'taxonomies'>>,
): Promise<LineError[]> {
  if (batch.size === 0) return [];
  const lines = [...batch.values()];
  const { rows } = await client.query<{ id: number; parent_id: number | null }>(
    'select id, parent_id from discovery_taxonomies',
  );
  const faults = faultsOfTree(rows, lines);
  const faulty = new Set(faults.map(({ id }) => id));
  const sound = lines.filter(({ id }) => !faulty.has(id));
  const changed = await upsert(client, TABLE, sound.map(taxonomyRow));
  if (changed.length > 0) {
    const { rows: moved } = await client.query<{ id: number }>(DRAW_LINES);
    await refreshWhatHolds(client, 'taxonomies', [...changed, ...moved.map(({ id }) => id)]);
  }
  return faults;
}

/** The lines from each taxonomy up to its root, and the order of the tree. Answers with those that moved. */
const DRAW_LINES = `
  with recursive steps as (
    select id, id as at, name, parent_id, 1 as step from discovery_taxonomies
    union all
    select steps.id, above.id, above.name, above.parent_id, step + 1
    from steps join discovery_taxonomies as above on above.id = steps.parent_id
  ), lines as (
    select id, array_agg(at order by step) as line_ids, array_agg(name order by step) as line_names,
      row_number() over (order by array_agg(at order by step desc)) as rank
    from steps group by id
  )
  update discovery_taxonomies as t set line_ids = lines.line_ids, line_names = lines.line_names, rank = lines.rank
  from lines where t.id = lines.id
    and (t.line_ids, t.line_names, t.rank) is distinct from (lines.line_ids, lines.line_names, lines.rank::int)
  returning t.id`;
