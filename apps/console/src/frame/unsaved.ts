import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';

/** Why a form must not be left without a question: it has something written in it, or what it sent is on its way. */
export type Loss = 'written' | 'sending';

type Question = Readonly<{ loss: Loss; answer: (leaves: boolean) => void }>;

const losses = new Map<object, Loss>();
const listeners = new Set<() => void>();
let question: Question | null = null;

function show(next: Question | null): void {
  question = next;
  for (const listener of listeners) listener();
}

/** What would be lost if the page went away now. */
export function lossOfPage(): Loss | undefined {
  const [first] = losses.values();
  return first;
}

/** Asks whether to leave. Resolves at once if nothing would be lost. */
export async function mayLeave(loss: Loss | undefined = lossOfPage()): Promise<boolean> {
  if (loss === undefined) return true;
  // A second way out while the first is asked about: the person answers once.
  if (question) return false;
  return await new Promise((resolve) =>
    show({
      loss,
      answer: (leaves) => {
        show(null);
        resolve(leaves);
      },
    }),
  );
}

/** The question that is being asked, for the component that shows it. */
export function useLeaveQuestion(): Question | null {
  return useSyncExternalStore(
    (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    () => question,
  );
}

/** Whether these values differ from those that the form had at first. */
export function useEdited(typed: unknown): boolean {
  const now = JSON.stringify(typed);
  const [atFirst] = useState(now);
  return now !== atFirst;
}

/** Has the page ask before it goes away while a form would lose something. @returns a way out of the form alone, which asks as well */
export function useUnsaved(loss: Loss | undefined): (leave: () => void) => void {
  const [form] = useState(() => ({}));
  useLayoutEffect(() => {
    if (loss !== undefined) losses.set(form, loss);
    else losses.delete(form);
  }, [form, loss]);
  useEffect(() => () => void losses.delete(form), [form]);
  return (leave) => void mayLeave(loss).then((leaves) => leaves && leave());
}
