import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Webhook } from '#outbound/webhook.contract';
import { ask } from '../../api/http.js';
import { Failure } from '../../frame/failure.js';
import { useMutationOnce } from '../../frame/use-mutation-once.js';
import { webhookWords as words } from './webhook-words.js';
import { EndingDialog } from '../ending-dialog.js';
import { SecretDialog } from '../secret-dialog.js';
import { WebhookForm } from './webhook-form.js';
import { TestDeliveryDialog } from './test-delivery.js';

/** The actions of a webhook. */
export function WebhookActs({ webhook }: Readonly<{ webhook: Webhook }>) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'edit' | 'rotate' | 'remove' | null>(null);
  const path = { id: webhook.id };
  const turn = useMutationOnce({
    mutationFn: (to: 'pause' | 'resume') => ask(`POST webhooks/{id}/${to}`, { path }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  const test = useMutationOnce({
    mutationFn: () => ask('POST webhooks/{id}/test', { path }),
    gcTime: 0,
  });
  const close = () => setOpen(null);
  const isWorking = webhook.state === 'active' && webhook.breaker.state === 'closed';
  return (
    <>
      {(turn.error ?? test.error) && <Failure error={turn.error ?? test.error} />}
      <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
        {words.test}
      </Button>
      <Button variant="default" onClick={() => setOpen('edit')}>
        {words.edit}
      </Button>
      <Button variant="default" onClick={() => setOpen('rotate')}>
        {words.rotate}
      </Button>
      <Button variant="default" loading={turn.isPending} onClick={() => turn.mutate(isWorking ? 'pause' : 'resume')}>
        {isWorking ? words.pause : words.resume}
      </Button>
      <Button variant="default" onClick={() => setOpen('remove')}>
        {words.remove}
      </Button>
      {test.data && <TestDeliveryDialog delivery={test.data} onClose={() => test.reset()} />}
      {open === 'edit' && <WebhookForm webhook={webhook} onClose={close} />}
      {open === 'rotate' && (
        <SecretDialog
          title={words.rotate}
          apply={words.rotate}
          question={words.rotateAsk}
          once={words.once}
          make={() => ask('POST webhooks/{id}/rotate', { path })}
          listKey="webhooks"
          values={({ secret }) => [{ name: words.secret, value: secret }]}
          onClose={close}
        />
      )}
      {open === 'remove' && (
        <EndingDialog
          title={words.removeTitle}
          apply={words.remove}
          question={words.removeAsk(webhook.url)}
          end={() => ask('DELETE webhooks/{id}', { path })}
          listKey="webhooks"
          onDone={() => void navigate({ to: '/settings/webhooks', ignoreBlocker: true })}
          onClose={close}
        />
      )}
    </>
  );
}
