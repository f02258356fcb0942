import type { InlineWriter } from './inline-writer.js';

const EVENT_COLUMNS =
  'position int, event_id text, type text, data json, metadata json, recorded_at timestamptz, hash bytea';

/**
 * One statement, hence one round trip and one transaction, for everything that an append writes.
 * Parameters: $1 stream, $2 position it is appended after, $3 the events as JSON, $4… the rows of each writer as JSON.
 *
 * The part `position` refuses gaps: without it an append after a position that was never written would succeed.
 */
export function appendStatement(writers: readonly InlineWriter[]): string {
  const parts = writers.map((writer, index) => writerPart(writer, `$${index + 4}`));
  const checks = writers
    .filter((writer) => writer.mustAffect)
    .map((writer) => {
      const parameter = `$${writers.indexOf(writer) + 4}`;
      return `expect_rows('${writer.name}', (select count(*) from written_${writer.name}), json_array_length(${parameter}::json))`;
    });
  return `with
    written_events as (
      insert into events (stream, position, event_id, type, data, metadata, recorded_at, hash)
      select $1, e.* from json_to_recordset($3::json) as e(${EVENT_COLUMNS})
      where $2 = 0 or exists (select 1 from events where stream = $1 and position = $2)
      returning stream, position, recorded_at),
    written_outbox as (
      insert into outbox (stream, stream_position, recorded_at)
      select stream, position, recorded_at from written_events order by position returning 1)
    ${parts.join('')}
  select expect_rows('position', (select count(*) from written_events), json_array_length($3::json))
    ${checks.map((check) => `, ${check}`).join('')}`;
}

function writerPart(writer: InlineWriter, parameter: string): string {
  const columns = Object.entries(writer.columns).map(([name, type]) => `"${name}" ${type}`);
  const rows = `json_to_recordset(${parameter}::json) as "${writer.name}"(${columns.join(', ')})`;
  return `, written_${writer.name} as (${writer.statement(rows)})`;
}
