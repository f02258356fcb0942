import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { revealPersonalData } from '../api/desk.js';
import { useUnsaved } from '../frame/unsaved.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { orderWords as words } from './order-words.js';

/** Asks for a reason, and then for the data of the buyer, which are forgotten when the page is left. */
export function useReveal(orderId: string, onRevealed: () => void) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState('');
  const reveal = useMutationOnce({
    mutationFn: () => revealPersonalData(orderId, reason.trim()),
    onSuccess: () => {
      setAsking(false);
      setReason('');
      onRevealed();
      return client.invalidateQueries({ queryKey: ['order', orderId, 'timeline'] });
    },
    gcTime: 0,
  });
  useUnsaved(reveal.isPending ? 'sending' : reason.trim() === '' ? undefined : 'written');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!asking) return setAsking(true);
    if (reason.trim() === '') return setMissing(words.reasonNeeded);
    setMissing('');
    reveal.mutate();
  };
  const { data, error, isSuccess, isPending, reset } = reveal;
  return { data, error, isSuccess, isPending, reset, asking, setAsking, reason, setReason, missing, submit };
}
