import { NativeSelect, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DenialReason } from '#contracts/backoffice/broker-answer';
import type { StatusCatalogueView } from '#contracts/backoffice/status-catalogue';
import { ask } from '../api/http.js';
import { JobDialog } from '../jobs/job-dialog.js';
import { denials } from '../words/answers.js';
import { number } from '../words/formats.js';
import { bulkWords as words } from '../words/jobs.js';

type Kind = keyof typeof words.actions;
type Props = Readonly<{ ids: readonly string[]; onClose: () => void }>;

const KINDS = Object.entries(words.actions).map(([value, label]) => ({ value, label }));
const REASONS = Object.entries(denials).map(([value, { name }]) => ({ value, label: name }));

/** Accepts, denies, or changes the status of all selected orders, as a job. */
export function BulkChangeDialog({ ids, onClose }: Props) {
  const [kind, setKind] = useState<Kind>('accept');
  const [status, setStatus] = useState('');
  const [reason, setReason] = useState<DenialReason>('denied');
  const [note, setNote] = useState('');
  const { data } = useQuery({
    queryKey: ['status-catalogue'],
    queryFn: ({ signal }) => ask<StatusCatalogueView>('status-catalogue', { signal }),
  });
  const statuses = (data?.statuses ?? []).map(({ status_code: code, status_message: text }) => ({
    value: String(code),
    label: `${code} ${text}`,
  }));
  const code = Number(status === '' ? (statuses[0]?.value ?? 0) : status);
  const own = {
    accept: {},
    deny: { reason },
    change_status: { status_code: code },
  }[kind];
  const noted = note.trim() === '' ? {} : { note: note.trim() };
  return (
    <JobDialog
      title={words.title(ids.length, number(ids.length))}
      start={words.start}
      cancel={words.cancel}
      job={{ kind, ids, arguments: { ...own, ...noted } }}
      onClose={onClose}
    >
      <NativeSelect
        label={words.action}
        value={kind}
        data={KINDS}
        onChange={({ currentTarget }) => setKind(currentTarget.value as Kind)}
        data-autofocus
      />
      {kind === 'deny' && (
        <NativeSelect
          label={words.reason}
          value={reason}
          data={REASONS}
          onChange={({ currentTarget }) => setReason(currentTarget.value as DenialReason)}
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
      <Textarea
        label={words.note}
        description={words.noteHint}
        value={note}
        maxLength={2_000}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
    </JobDialog>
  );
}
