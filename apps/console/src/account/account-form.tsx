import { Button } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { Failure } from '../frame/failure.js';
import { Section } from '../frame/section.js';
import { useUnsaved } from '../frame/unsaved.js';
import { useFocusAtFault } from '../frame/use-focus-at-fault.js';

type Props = Readonly<{
  words: Readonly<{ title: string; hint: string; save: string; saved: string }>;
  /** What no field can say. */
  error: Error | null;
  isPending: boolean;
  isSaved: boolean;
  isWritten: boolean;
  onSubmit: () => void;
  children: ReactNode;
}>;

/** A part of the account that is saved by itself. */
export function AccountForm({ words, error, isPending, isSaved, isWritten, onSubmit, children }: Props) {
  useUnsaved(isPending ? 'sending' : isWritten ? 'written' : undefined);
  const { form, focusFault } = useFocusAtFault(isPending);
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
    focusFault();
  };
  return (
    <Section title={words.title} hint={words.hint}>
      <form className="stack" ref={form} onSubmit={send} noValidate>
        {children}
        {error && <Failure error={error} />}
        <div className="row">
          <Button type="submit" variant="default" loading={isPending}>
            {words.save}
          </Button>
          <span role="status" className="small soft">
            {isSaved ? words.saved : ''}
          </span>
        </div>
      </form>
    </Section>
  );
}
