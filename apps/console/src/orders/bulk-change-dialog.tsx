import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DenialReason } from '#orders/broker-answer.contract';
import { preview } from '../api/http.js';
import type { OrderCondition } from '../api/orders.js';
import { statusCatalogueQuery } from '../api/status-catalogue.js';
import { may, sessionQuery } from '../api/session.js';
import { NoteField } from '../frame/note-field.js';
import { JobDialog } from '../jobs/job-dialog.js';
import { NEW_REFUND, RefundFields, refundOf } from '../jobs/refund-fields.js';
import { denials } from '../words/answers.js';
import { number } from '../words/formats.js';
import { bulkWords as words } from '../jobs/job-words.js';
import { keysOf } from '../api/keys-of.js';
import { AssigneeField, TagFields } from '../frame/desk-fields.js';
import { tagsIn } from '../words/tags-in.js';

type Kind = keyof typeof words.actions;
type Props = Readonly<{
  /** The selected orders, or all that match a condition. */
  of: Readonly<{ ids: readonly string[] }> | Readonly<{ where: OrderCondition }>;
  onClose: () => void;
}>;

const REASONS = Object.entries(denials).map(([value, { name }]) => ({ value, label: name }));

/** Makes the same change to all selected orders, or to all of a search, as a job. */
export function BulkChangeDialog({ of, onClose }: Props) {
  const [kind, setKind] = useState<Kind>('accept');
  const [status, setStatus] = useState('');
  const [reason, setReason] = useState<DenialReason>('denied');
  const [note, setNote] = useState('');
  const [tags, setTags] = useState({ add: '', remove: '' });
  const [assignee, setAssignee] = useState('');
  const [refund, setRefund] = useState(NEW_REFUND);
  const { data: session } = useQuery(sessionQuery);
  const kinds = keysOf(words.actions).filter((one) => one !== 'refund' || may(session, 'money:act'));
  const { data } = useQuery(statusCatalogueQuery);
  const statuses = (data?.statuses ?? []).map(({ status_code: code, status_message: text }) => ({
    value: String(code),
    label: `${code} ${text}`,
  }));
  const code = Number(status === '' ? (statuses[0]?.value ?? 0) : status);
  const noted = note.trim() === '' ? {} : { note: note.trim() };
  const refunded = refundOf(refund);
  const jobs = {
    accept: { kind: 'accept', arguments: noted },
    deny: { kind: 'deny', arguments: { reason, ...noted } },
    change_status: { kind: 'change_status', arguments: { status_code: code, ...noted } },
    tag: { kind: 'tag', arguments: { add: tagsIn(tags.add), remove: tagsIn(tags.remove) } },
    assign: { kind: 'assign', arguments: { operator_id: assignee === '' ? null : assignee } },
    refund: refunded && ({ kind: 'refund', arguments: { ...refunded, ...noted } } as const),
  } as const;
  const isBeside = kind === 'tag' || kind === 'assign';
  const isComplete = kind !== 'tag' || tagsIn(tags.add).length + tagsIn(tags.remove).length > 0;
  const job = isComplete ? jobs[kind] : undefined;
  const count = useCount('where' in of ? of.where : undefined);
  const all = count === undefined ? words.titleAll : words.titleAllCounted(number(count));
  return (
    <JobDialog
      title={'ids' in of ? words.title(of.ids.length, number(of.ids.length)) : all}
      start={words.start}
      cancel={words.cancel}
      job={job && { ...job, ...of }}
      typed={{ kind, status, reason, note, tags, assignee, refund }}
      onClose={onClose}
    >
      <NativeSelect
        label={words.action}
        value={kind}
        data={kinds.map((value) => ({ value, label: words.actions[value] }))}
        onChange={({ currentTarget }) => setKind(kinds.find((one) => one === currentTarget.value) ?? kind)}
        data-autofocus
      />
      {kind === 'deny' && (
        <NativeSelect
          label={words.reason}
          value={reason}
          data={REASONS}
          onChange={({ currentTarget }) =>
            setReason(keysOf(denials).find((one) => one === currentTarget.value) ?? reason)
          }
        />
      )}
      {kind === 'change_status' && (
        <NativeSelect
          label={words.status}
          value={String(code)}
          data={statuses}
          onChange={({ currentTarget }) => setStatus(currentTarget.value)}
        />
      )}
      {kind === 'refund' && <RefundFields refund={refund} onChange={setRefund} />}
      {kind === 'tag' && <TagFields tags={tags} onChange={setTags} />}
      {kind === 'assign' && <AssigneeField assignee={assignee} onChange={setAssignee} />}
      {!isBeside && <NoteField label={words.note} hint={words.noteHint} note={note} onChange={setNote} />}
    </JobDialog>
  );
}

/** How many orders match, as an export of them would have. Undefined while it is not known. */
function useCount(where: OrderCondition | undefined): number | undefined {
  const { data } = useQuery({
    queryKey: ['order-count', where],
    queryFn: ({ signal }) => {
      const body = { kind: 'export_orders', where, arguments: { format: 'csv' }, dry_run: true } as const;
      return preview('POST jobs', { body, signal });
    },
    enabled: where !== undefined,
    staleTime: 0,
  });
  return data?.total;
}
