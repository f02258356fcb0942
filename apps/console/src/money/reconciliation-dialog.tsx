import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, useState } from 'react';
import type { BegunReconciliation } from '#money/reconciliation.contract';
import { fieldErrors } from '../api/field-errors.js';
import { isKeyOf, keysOf } from '../api/keys-of.js';
import { balancesQuery, compareProvider, readRemittance } from '../api/money.js';
import { DialogForm } from '../frame/dialog-form.js';
import { FilePicker } from '../frame/file-picker.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { providerText } from '../order/payment-source.js';
import { orderWords } from '../order/order-words.js';
import { partsOf } from './balance-points.js';
import { moneyWords } from './money-words.js';
import { comparisonOf, type ComparisonRequest, type Typed } from './reconciliation-request.js';
import { reconciliationWords } from './reconciliation-words.js';

const words = reconciliationWords.dialog;
const FIELDS = ['provider', 'client_id', 'from', 'to'] as const;
type Field = (typeof FIELDS)[number];

type Props = Readonly<{ onClose: () => void; onDone: (begun: BegunReconciliation) => void }>;

/** Begins the comparison with a provider's list of some days, or with a file of what a platform has paid. */
export function ReconciliationDialog({ onClose, onDone }: Props) {
  const known = useLedgerNames();
  const used = known('provider');
  const providers = used.length > 0 ? used : keysOf(orderWords.paymentProvider);
  const [typed, setTyped] = useState<Typed>({
    kind: 'provider',
    provider: '',
    client_id: '',
    from: '',
    to: '',
    file: null,
  });
  const [wasSent, setSent] = useState(false);
  const { request, missing } = comparisonOf({ ...typed, provider: typed.provider || (providers[0] ?? '') });
  const send = useComparison(onDone);
  const refused = fieldErrors(send.error, FIELDS);
  const field = (name: Field): FieldProps => ({
    value: typed[name],
    error: (wasSent && missing[name]) || refused[name],
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
      setTyped({ ...typed, [name]: value }),
  });
  const isFile = typed.kind === 'client';
  return (
    <DialogForm
      title={words.title}
      submit={words.submit}
      cancel={moneyWords.cancel}
      typed={typed}
      error={Object.keys(refused).length === 0 ? send.error : null}
      isPending={send.isPending}
      onSubmit={() => {
        setSent(true);
        if (request) send.mutate(request);
      }}
      onClose={onClose}
    >
      <NativeSelect
        label={words.what}
        value={typed.kind}
        data={keysOf(words.kinds).map((value) => ({ value, label: words.kinds[value] }))}
        onChange={({ currentTarget: { value } }) => isKeyOf(words.kinds, value) && setTyped({ ...typed, kind: value })}
        data-autofocus
      />
      {isFile ? (
        <RemittanceFields
          clients={known('client')}
          client={field('client_id')}
          file={typed.file}
          missing={wasSent ? missing.file : undefined}
          onChoose={(file) => setTyped({ ...typed, file })}
        />
      ) : (
        <NativeSelect
          label={words.provider}
          data={providers.map((value) => ({ value, label: providerText(value) }))}
          {...field('provider')}
        />
      )}
      <div className="checks">
        <TextInput type="date" label={words.from} {...field('from')} />
        <TextInput type="date" label={words.to} {...field('to')} />
      </div>
      <p className="soft small">{isFile ? words.remittanceDays : words.days}</p>
      <p>{isFile ? words.followsFile : words.follows}</p>
    </DialogForm>
  );
}

/** Begins what was asked for. */
function useComparison(onDone: Props['onDone']) {
  const client = useQueryClient();
  return useMutationOnce({
    mutationFn: (wanted: ComparisonRequest) => ('body' in wanted ? compareProvider(wanted) : readRemittance(wanted)),
    onSuccess: (begun) => {
      onDone(begun);
      return client.invalidateQueries({ queryKey: ['list', 'GET reconciliations'] });
    },
  });
}

/** The providers or the clients that have an account in the ledger. */
function useLedgerNames(): (wanted: 'provider' | 'client') => readonly string[] {
  const { data: balances = [] } = useQuery(balancesQuery());
  return (wanted) =>
    balances.flatMap(({ account }) => {
      const { kind, of } = partsOf(account);
      return kind === wanted && of !== undefined ? [of] : [];
    });
}

type FieldProps = Readonly<{
  value: string;
  error: string | false | undefined;
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => void;
}>;

type RemittanceProps = Readonly<{
  /** Those with orders in the ledger. */
  clients: readonly string[];
  client: FieldProps;
  file: File | null;
  missing: string | undefined;
  onChoose: (file: File) => void;
}>;

/** Who has paid, and the file that says what for. */
function RemittanceFields({ clients, client, file, missing, onChoose }: RemittanceProps) {
  return (
    <>
      <TextInput
        label={words.client}
        description={words.clientHint}
        list="clients-of-ledger"
        autoComplete="off"
        {...client}
      />
      <datalist id="clients-of-ledger">
        {clients.map((id) => (
          <option key={id} value={id} />
        ))}
      </datalist>
      <div className="stack-tight">
        <FilePicker
          file={file}
          accept=".csv,text/csv"
          words={words}
          isPending={false}
          onChoose={(chosen) => chosen && onChoose(chosen)}
        />
        <p className="soft small">{words.fileHint}</p>
        {missing !== undefined && (
          <p className="alert" role="alert">
            {missing}
          </p>
        )}
      </div>
    </>
  );
}
