import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query';
import { useRef } from 'react';

type Options<Answer, Input> = UseMutationOptions<Answer, Error, Input> &
  Readonly<{
    /** For tables, whose rows may change at the same time: what one change is known by. Without it there is one change at a time. */
    keyOf?: (input: Input) => string;
  }>;

type Once<Answer, Input> = Omit<UseMutationResult<Answer, Error, Input>, 'mutate'> &
  Readonly<{ mutate: (input: Input) => void }>;

/**
 * A mutation that is not sent again while it is on its way, whatever asks for it: a key, a double click, Enter in a field. The button that
 * shows it as busy is drawn a moment too late for that.
 */
export function useMutationOnce<Answer, Input = void>({
  keyOf = () => '',
  ...options
}: Options<Answer, Input>): Once<Answer, Input> {
  const mutation = useMutation(options);
  const underway = useRef(new Set<string>());
  const mutate = (input: Input) => {
    const key = keyOf(input);
    if (underway.current.has(key)) return;
    underway.current.add(key);
    // Later than React draws what the outcome has changed, e.g. a form that is closed.
    const end = () => void setTimeout(() => underway.current.delete(key));
    mutation.mutateAsync(input).then(end, end);
  };
  return { ...mutation, mutate };
}
