import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What changed in the catalogue, for processes with a copy of it in memory. */
export class CatalogueChanges1764320000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CHANGES);
    for (const kind of ['taxonomies', 'genres', 'venues', 'performers', 'events'])
      await runner.query(noted(kind, 'id'));
    // Places have no ids, so a process reads all of them again.
    await runner.query(noted('postal_codes', '0'));
  }

  async down(): Promise<void> {
    throw new Error('Copies of the catalogue in memory would no longer follow it: this migration has no way back.');
  }
}

// One row for each document that ever changed, with the transaction that changed it last. A reader asks for all changes of
// transactions from the oldest one that was running at its last question. So none is skipped, in whatever order they commit.
const CHANGES = `
  create table discovery_changes (
    kind text not null,
    id int not null,
    changed_in xid8 not null,
    primary key (kind, id)
  );
  create index discovery_changes_since on discovery_changes (changed_in);
  create function discovery_note_truncation() returns trigger language plpgsql as $$
  begin
    insert into discovery_changes values ('everything', 0, pg_current_xact_id())
      on conflict (kind, id) do update set changed_in = excluded.changed_in;
    return null;
  end $$;
  grant select, insert, update on discovery_changes to willcall_app;`;

/** Once for each statement. In the order of ids, so that two writers of the same documents do not deadlock. */
const noted = (kind: string, id: string) => `
  create function discovery_note_changed_${kind}() returns trigger language plpgsql as $$
  begin
    insert into discovery_changes (kind, id, changed_in)
      select distinct '${kind}', ${id}, pg_current_xact_id() from changed_rows order by 2
      on conflict (kind, id) do update set changed_in = excluded.changed_in
        where discovery_changes.changed_in <> excluded.changed_in;
    return null;
  end $$;
  create trigger inserted_${kind} after insert on discovery_${kind} referencing new table as changed_rows
    for each statement execute function discovery_note_changed_${kind}();
  create trigger updated_${kind} after update on discovery_${kind} referencing new table as changed_rows
    for each statement execute function discovery_note_changed_${kind}();
  create trigger deleted_${kind} after delete on discovery_${kind} referencing old table as changed_rows
    for each statement execute function discovery_note_changed_${kind}();
  create trigger truncated_${kind} after truncate on discovery_${kind}
    for each statement execute function discovery_note_truncation();`;
