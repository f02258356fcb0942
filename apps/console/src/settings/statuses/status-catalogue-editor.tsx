import './statuses.css';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { StatusCataloguePreview, StatusCatalogueSource } from '#orders/status-catalogue.contract';
import { ApiError } from '../../api/api-error.js';
import { ask } from '../../api/http.js';
import { ConfirmDialog } from '../../frame/confirm-dialog.js';
import { Failure } from '../../frame/failure.js';
import { PageHead } from '../../frame/page-head.js';
import { useEdited, useUnsaved } from '../../frame/unsaved.js';
import { useFocusAtFault } from '../../frame/use-focus-at-fault.js';
import { useMutationOnce } from '../../frame/use-mutation-once.js';
import { statusesWords as words } from './statuses-words.js';
import { bodyOf, changeTexts, draftOf, faultsOf } from './status-catalogue-draft.js';
import { StatusRoles, StatusTransitions } from './status-rules.js';
import { StatusRows } from './status-rows.js';
import { statusCatalogueSourceQuery } from './status-catalogue-versions.js';

export function StatusCatalogueEditor() {
  const { data, error, refetch } = useQuery({ ...statusCatalogueSourceQuery, staleTime: Infinity });
  return (
    <div className="page">
      <PageHead title={words.editTitle} hint={words.editHint} />
      {error && <Failure error={error} retry={() => void refetch()} />}
      {data?.editable === false && <p className="news">{words.byFile}</p>}
      {data?.editable && <Editor key={data.version} source={data} />}
    </div>
  );
}

/** Keeps what was typed until it is saved. The server checks it, and says what would change. */
function Editor({ source }: Readonly<{ source: StatusCatalogueSource }>) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(() => draftOf(source));
  const leave = (ignoreBlocker: boolean) => void navigate({ to: '/settings/catalogue', search: {}, ignoreBlocker });
  const put = (isDryRun: boolean) =>
    ask('PUT status-catalogue', { ifMatch: source.version, body: { ...bodyOf(draft), dry_run: isDryRun } });
  const check = useMutationOnce({ mutationFn: () => put(true) });
  const save = useMutationOnce({
    mutationFn: () => put(false),
    onSuccess: async () => {
      leave(true);
      await client.invalidateQueries({ queryKey: ['status-catalogue'] });
    },
  });
  const isWritten = useEdited(draft);
  useUnsaved(isWritten ? 'written' : undefined);
  const { statuses: removed, ...faults } = faultsOf(check.error);
  const count = Object.keys(faults).length;
  const isWrong = count > 0 || removed !== undefined;
  const { form } = useFocusAtFault(check.isPending);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.reset();
    check.mutate();
  };
  return (
    <form className="stack status-editor" ref={form} onSubmit={submit} noValidate>
      <StatusRows draft={draft} events={source.events} faults={faults} onChange={setDraft} />
      <StatusTransitions draft={draft} faults={faults} onChange={setDraft} />
      <StatusRoles draft={draft} faults={faults} onChange={setDraft} />
      {isWrong && (
        <p className="alert" role="alert">
          {count > 0 && words.faults(count)} {removed}
        </p>
      )}
      {check.error && !isWrong && <Failure error={check.error} />}
      <div className="row end">
        <Button variant="default" onClick={() => leave(false)}>
          {words.cancel}
        </Button>
        <Button type="submit" loading={check.isPending}>
          {words.check}
        </Button>
      </div>
      {check.data && 'dry_run' in check.data && (
        <Review
          preview={check.data}
          error={save.error}
          busy={save.isPending}
          onApply={() => save.mutate()}
          onClose={() => check.reset()}
        />
      )}
    </form>
  );
}

type ReviewProps = Readonly<{
  preview: StatusCataloguePreview;
  error: unknown;
  busy: boolean;
  onApply: () => void;
  onClose: () => void;
}>;

function Review({ preview, error, busy, onApply, onClose }: ReviewProps) {
  const texts = changeTexts(preview.changes);
  const isStale = error instanceof ApiError && error.status === 412;
  return (
    <ConfirmDialog
      title={texts.length === 0 ? words.noChanges : words.review}
      apply={words.save(preview.version + 1)}
      cancel={words.back}
      error={isStale ? null : error}
      busy={busy}
      onApply={onApply}
      onClose={onClose}
    >
      {texts.map((text) => (
        <span key={text} className="status-change">
          {text}
        </span>
      ))}
      <span className="soft small status-change">{words.reviewHint}</span>
      {isStale && (
        <span className="alert" role="alert">
          {words.stale}
        </span>
      )}
    </ConfirmDialog>
  );
}
