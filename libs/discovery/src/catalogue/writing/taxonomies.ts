import type { ClientBase } from 'pg';
import type { CatalogueLine } from '../../catalogue.contract.js';
import type { Batch, LineError } from './batch.js';
import { refreshDependents } from './refresh.js';
import { taxonomyRow } from './rows.js';
import { treeErrors } from './tree.js';
import { type Table, upsert } from './upsert.js';

const TABLE: Table = {
  name: 'discovery_taxonomies',
  own: 'id bigint, name text, slug text, parent_id bigint, document json',
};

/** Writes taxonomies and refreshes the documents that embed changed or moved ones. */
export async function writeTaxonomies(
  client: ClientBase,
  batch: Batch<CatalogueLine<'taxonomies'>>,
): Promise<LineError[]> {
  if (batch.size === 0) return [];
  const lines = [...batch.values()];
  const { rows } = await client.query<{ id: number; parent_id: number | null }>(
    'select id, parent_id from discovery_taxonomies',
  );
  const errors = treeErrors(rows, lines);
  const invalidIds = new Set(errors.map(({ id }) => id));
  const valid = lines.filter(({ id }) => !invalidIds.has(id));
  const changed = await upsert(client, TABLE, valid.map(taxonomyRow));
  if (changed.length > 0) {
    const { rows: moved } = await client.query<{ id: number }>(UPDATE_PATHS);
    await refreshDependents(client, 'taxonomies', [...changed, ...moved.map(({ id }) => id)]);
  }
  return errors;
}

/** Computes the path of each taxonomy to its root and its rank in the tree. Returns the moved ones. */
const UPDATE_PATHS = `
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
