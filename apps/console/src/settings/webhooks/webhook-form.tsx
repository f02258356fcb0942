import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Webhook, WebhookWithSecret } from '#outbound/webhook.contract';
import { fieldErrors } from '../../api/field-errors.js';
import { ask } from '../../api/http.js';
import { DialogForm } from '../../frame/dialog-form.js';
import { TextFields } from '../../frame/text-fields.js';
import { useMutationOnce } from '../../frame/use-mutation-once.js';
import { settingsWords } from '../settings-words.js';
import { webhookWords as words } from './webhook-words.js';
import { Choices } from '../../frame/choices.js';
import { IssuedSecret } from '../issued-secret.js';
import { FASTEST_DELIVERY, USUAL_WEBHOOK_RATE } from '#outbound/delivery.limits';
import { keysOf } from '../../api/keys-of.js';

const FIELDS = ['url', 'description', 'rate_per_second'] as const;
const TEXTS = {
  url: { label: words.url, description: words.urlHint, inputMode: 'url' },
  description: { label: words.description, description: words.descriptionHint },
  rate_per_second: { label: words.rate, inputMode: 'numeric' },
} as const;
type StatusValue = NonNullable<Webhook['statuses']>[number];

const STATUSES = keysOf(words.statusNames);

/** Adds a webhook and shows its secret once, or changes one. */
export function WebhookForm({ webhook, onClose }: Readonly<{ webhook: Webhook | null; onClose: () => void }>) {
  const client = useQueryClient();
  const [typed, setTyped] = useState({
    url: webhook?.url ?? '',
    description: webhook?.description ?? '',
    rate_per_second: webhook ? String(webhook.rate_per_second) : String(USUAL_WEBHOOK_RATE),
  });
  const [statuses, setStatuses] = useState<readonly StatusValue[]>(webhook?.statuses ?? []);
  const [wrong, setWrong] = useState<Partial<typeof typed>>({});
  const save = useMutationOnce({
    mutationFn: (): Promise<Partial<WebhookWithSecret>> => {
      const body = {
        url: typed.url.trim(),
        description: typed.description.trim() === '' ? null : typed.description.trim(),
        rate_per_second: Number(typed.rate_per_second),
        statuses: statuses.length === 0 ? null : statuses,
      };
      return webhook ? ask('PATCH webhooks/{id}', { path: { id: webhook.id }, body }) : ask('POST webhooks', { body });
    },
    onSuccess: async ({ secret }) => {
      await client.invalidateQueries({ queryKey: ['webhooks'] });
      if (secret === undefined) onClose();
    },
    gcTime: 0,
  });
  const submit = () => {
    const rate = Number(typed.rate_per_second);
    const found = {
      ...(typed.url.trim() === '' && { url: words.missingUrl }),
      ...(!(Number.isInteger(rate) && rate >= 1 && rate <= FASTEST_DELIVERY) && { rate_per_second: words.wrongRate }),
    };
    setWrong(found);
    if (Object.keys(found).length === 0) save.mutate();
  };
  const title = webhook ? words.editOf(webhook.url) : words.add;
  if (save.data?.secret !== undefined) {
    return (
      <IssuedSecret title={title} onClose={onClose} values={[{ name: words.secret, value: save.data.secret }]}>
        {words.once}
      </IssuedSecret>
    );
  }
  const errors = { ...fieldErrors(save.error, FIELDS), ...wrong };
  return (
    <DialogForm
      title={title}
      submit={webhook ? words.save : words.create}
      cancel={settingsWords.cancel}
      error={Object.keys(errors).length === 0 ? save.error : null}
      typed={{ typed, statuses }}
      isPending={save.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextFields fields={FIELDS} texts={TEXTS} typed={typed} errors={errors} onType={setTyped} />
      <Choices
        legend={`${words.statuses}. ${words.statusesHint}`}
        options={STATUSES}
        nameOf={(status) => words.statusNames[status]}
        chosen={statuses}
        onChange={setStatuses}
      />
    </DialogForm>
  );
}
