import { Button } from '@mantine/core';
import type { AuditEntry, AuditPage } from '#accounts/audit.contract';
import { ask } from '../../api/http.js';
import { Failure } from '../../frame/failure.js';
import { saveFile } from '../../frame/save-file.js';
import { useMutationOnce } from '../../frame/use-mutation-once.js';
import type { AuditQuery } from './audit-filters.js';
import { auditCsv } from './audit-text.js';
import { auditWords as words } from './audit-words.js';

const PAGE = 200;
// More than that is a question for the database.
const MOST_PAGES = 100;

/** Saves the entries that the filters let through as a file. */
export function AuditDownload({ query }: Readonly<{ query: AuditQuery }>) {
  const save = useMutationOnce({ mutationFn: () => download(query) });
  return (
    <>
      <Button variant="default" size="sm" loading={save.isPending} onClick={() => save.mutate()}>
        {words.download}
      </Button>
      {save.data === true && (
        <span className="soft small">{words.cut((PAGE * MOST_PAGES).toLocaleString('en-US'))}</span>
      )}
      {save.error && <Failure error={save.error} />}
    </>
  );
}

/** @returns whether there were more than fit */
async function download(query: AuditQuery): Promise<boolean> {
  const entries: AuditEntry[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const found: AuditPage = await ask('GET audit', {
      query: { ...query, limit: PAGE, ...(cursor !== null && { cursor }) },
    });
    entries.push(...found.entries);
    cursor = found.next_cursor;
    if (cursor === null) break;
  }
  saveFile('audit.csv', new Blob([auditCsv(entries)], { type: 'text/csv' }));
  return cursor !== null;
}
