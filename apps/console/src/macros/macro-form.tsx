import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { LONGEST_MACRO_NAME } from '#desk/desk.limits';
import type { Macro, MacroBody } from '#desk/macro.contract';
import { LONGEST_NOTE } from '#orders/order.limits';
import { keysOf } from '../api/keys-of.js';
import { macrosQuery, saveMacro } from '../api/macros.js';
import { DialogForm } from '../frame/dialog-form.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { mailWords } from '../order/ticket-files/mail-words.js';
import { TagFields } from '../frame/desk-fields.js';
import { frame } from '../words/frame.js';
import { readers } from '../words/readers.js';
import { macroWords } from './macro-words.js';
import { areMinutes, stepsOf, type TypedMacro, typedOf } from './typed-macro.js';

const words = macroWords.form;
const MAILS = keysOf(mailWords.kind);

type Props = Readonly<{ macro: Macro | undefined; onClose: () => void }>;
type Faults = Readonly<{ name?: string; minutes?: string; nothing?: string }>;

/** Makes a macro of the steps that are filled in, or changes one. */
export function MacroForm({ macro, onClose }: Props) {
  const client = useQueryClient();
  const [typed, setTyped] = useState(() => typedOf(macro));
  const [faults, setFaults] = useState<Faults>({});
  const type = (change: Partial<TypedMacro>) => setTyped((before) => ({ ...before, ...change }));
  const save = useMutationOnce({
    mutationFn: (body: MacroBody) => saveMacro(macro?.id, body),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: macrosQuery.queryKey });
      onClose();
    },
  });
  const submit = () => {
    const steps = stepsOf(typed, macro?.steps ?? []);
    const areWrong = typed.minutes.trim() !== '' && !areMinutes(typed.minutes);
    const found: Faults = {
      ...(typed.name.trim() === '' && { name: words.nameMissing }),
      ...(areWrong && { minutes: words.snoozeWrong }),
      ...(steps.length === 0 && !areWrong && { nothing: words.nothing }),
    };
    setFaults(found);
    if (Object.keys(found).length === 0) save.mutate({ name: typed.name.trim(), steps });
  };
  return (
    <DialogForm
      title={macro ? words.editTitle : words.title}
      submit={words.save}
      cancel={frame.cancel}
      error={save.error}
      typed={typed}
      isPending={save.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <MacroFields typed={typed} faults={faults} onType={type} />
      {faults.nothing !== undefined && (
        <p className="alert" role="alert">
          {faults.nothing}
        </p>
      )}
    </DialogForm>
  );
}

type FieldProps = Readonly<{ typed: TypedMacro; faults: Faults; onType: (change: Partial<TypedMacro>) => void }>;

function MacroFields({ typed, faults, onType }: FieldProps) {
  return (
    <>
      <TextInput
        label={words.name}
        value={typed.name}
        error={faults.name}
        maxLength={LONGEST_MACRO_NAME}
        onChange={({ currentTarget }) => onType({ name: currentTarget.value })}
        data-autofocus
      />
      <NativeSelect
        label={words.mail}
        value={typed.mail}
        data={[{ value: '', label: words.noMail }, ...MAILS.map((value) => ({ value, label: mailWords.kind[value] }))]}
        onChange={({ currentTarget }) => onType({ mail: MAILS.find((one) => one === currentTarget.value) ?? '' })}
      />
      <TextInput
        label={words.snooze}
        description={words.snoozeHint}
        inputMode="numeric"
        value={typed.minutes}
        error={faults.minutes}
        onChange={({ currentTarget }) => onType({ minutes: currentTarget.value })}
      />
      <TagFields tags={typed.tags} onChange={(tags) => onType({ tags })} />
      <Textarea
        label={words.note}
        description={typed.isForBrokers ? readers.sellerAndStaff : readers.staff}
        rows={2}
        maxLength={LONGEST_NOTE}
        value={typed.note}
        onChange={({ currentTarget }) => onType({ note: currentTarget.value })}
      />
      <Checkbox
        size="xs"
        label={words.notePartner}
        checked={typed.isForBrokers}
        onChange={({ currentTarget }) => onType({ isForBrokers: currentTarget.checked })}
      />
      <Checkbox
        size="xs"
        label={words.assign}
        checked={typed.assigns}
        onChange={({ currentTarget }) => onType({ assigns: currentTarget.checked })}
      />
    </>
  );
}
