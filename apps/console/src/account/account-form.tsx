import { Button } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { focusFirstFault } from '../frame/focus-first-fault.js';
import { Failure } from '../frame/failure.js';
import { Section } from '../frame/section.js';

type Props = Readonly<{
  words: Readonly<{ title: string; hint: string; save: string; saved: string }>;
  /** What no field can say. */
  error: Error | null;
  isPending: boolean;
  isSaved: boolean;
  onSubmit: () => void;
  children: ReactNode;
}>;

/** A part of the account that is saved by itself. */
export function AccountForm({ words, error, isPending, isSaved, onSubmit, children }: Props) {
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit();
    focusFirstFault(event.currentTarget);
  };
  return (
    <Section title={words.title} hint={words.hint}>
      <form className="stack" onSubmit={send} noValidate>
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
