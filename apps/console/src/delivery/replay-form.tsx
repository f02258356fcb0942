import { Button, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ask, preview } from '../api/http.js';
import { CancelButton, Dialog } from '../frame/dialog.js';
import { Failure } from '../frame/failure.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { deliveryWords as words } from './delivery-words.js';
import { number } from '../words/formats.js';
import { instantOf, localTimeOf } from '../words/time-zone.js';
import { FASTEST_DELIVERY, USUAL_REPLAY_RATE } from '#outbound/delivery.limits';
import { addressOf, type Endpoint, kindOf } from './endpoint-table.js';

type Props = Readonly<{ endpoints: readonly Endpoint[]; onClose: () => void }>;

const HOUR_MS = 3_600_000;

/** Counts what would be sent before it is sent. After a change of the selection it must be counted again. */
export function ReplayForm({ endpoints, onClose }: Props) {
  const client = useQueryClient();
  const [endpoint, setEndpoint] = useState('platform');
  const [since, setSince] = useState(() => localTimeOf(new Date(Date.now() - HOUR_MS)));
  const [until, setUntil] = useState('');
  const [rate, setRate] = useState<number | string>(USUAL_REPLAY_RATE);
  const chosen = {
    endpoint,
    per_second: Number(rate) || USUAL_REPLAY_RATE,
    ...(since !== '' && { since: instantOf(since).toISOString() }),
    ...(until !== '' && { until: instantOf(until).toISOString() }),
  };
  const choice = JSON.stringify(chosen);
  const count = useMutationOnce({
    mutationFn: async () => {
      const { total } = await preview('POST replays', { body: { ...chosen, dry_run: true } });
      return { total, choice };
    },
  });
  const start = useMutationOnce({
    mutationFn: () => ask('POST replays', { body: chosen }),
    onSuccess: () => {
      onClose();
      return client.invalidateQueries({ queryKey: ['replays'] });
    },
  });
  const counted = count.data?.choice === choice ? count.data.total : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (counted === null) count.mutate();
    else start.mutate();
  };
  return (
    <Dialog
      title={words.newReplay}
      typed={{ endpoint, since, until, rate }}
      isPending={count.isPending || start.isPending}
      onClose={onClose}
    >
      <form className="stack" onSubmit={submit}>
        <p className="soft small">{words.replayAsk}</p>
        <NativeSelect
          label={words.column.endpoint}
          value={endpoint}
          data={endpoints.map((one) => ({ value: one.endpoint, label: `${kindOf(one)} · ${addressOf(one)}` }))}
          onChange={({ currentTarget }) => setEndpoint(currentTarget.value)}
          data-autofocus
        />
        <TextInput
          type="datetime-local"
          label={words.changedSince}
          value={since}
          onChange={({ currentTarget }) => setSince(currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label={words.changedUntil}
          value={until}
          onChange={({ currentTarget }) => setUntil(currentTarget.value)}
        />
        <NumberInput label={words.most} value={rate} min={1} max={FASTEST_DELIVERY} onChange={setRate} />
        <p role="status">{counted === null ? '' : words.replayCount(number(counted))}</p>
        {(count.error ?? start.error) && <Failure error={count.error ?? start.error} />}
        <div className="row end">
          <CancelButton>{words.cancel}</CancelButton>
          <Button type="submit" loading={count.isPending || start.isPending} disabled={counted === 0}>
            {counted === null ? words.count : words.startReplay}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
