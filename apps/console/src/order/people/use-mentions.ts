import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type SyntheticEvent, useId, useRef, useState } from 'react';
import type { OrderPeople } from '#orders/presence.contract';
import { ask } from '../../api/http.js';

export type Person = OrderPeople['people'][number];

const MOST_SHOWN = 8;

/** What stands between an @ and the caret: where it begins, and the beginning of a name. */
export function mentionAt(text: string, caret: number): Readonly<{ start: number; name: string }> | undefined {
  const found = /(?:^|[\s(])@([^\s@]*(?: [^\s@]*)?)$/.exec(text.slice(0, caret));
  const [, name] = found ?? [];
  return name === undefined ? undefined : { start: caret - name.length - 1, name };
}

/** The people whose name, or a part of it, begins so. */
export function namedLike(people: readonly Person[], name: string): readonly Person[] {
  const asked = name.toLowerCase();
  const begins = (whole: string) =>
    whole.startsWith(asked) || whole.split(/\s+/).some((part) => part.startsWith(asked));
  return people.filter((person) => begins(person.name.toLowerCase())).slice(0, MOST_SHOWN);
}

type Box = Readonly<{
  orderId: string;
  text: string;
  onText: (text: string) => void;
  /** Brokers read the note too. */
  isForBrokers: boolean;
}>;

/** Offers people behind an @ in a text box, and knows whom the text mentions. */
export function useMentions({ orderId, text, onText, isForBrokers }: Box) {
  const listId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [chosen, setChosen] = useState<readonly Person[]>([]);
  const [caret, setCaret] = useState(0);
  const [active, setActive] = useState(0);
  /** Where the @ stands whose list was closed. */
  const [closed, setClosed] = useState<number>();
  const asked = mentionAt(text, caret);
  const { data: people = [] } = useQuery({
    queryKey: ['order', orderId, 'people'],
    queryFn: async ({ signal }) => (await ask('GET orders/{id}/people', { path: { id: orderId }, signal })).people,
    enabled: asked !== undefined,
    staleTime: 60_000,
    retry: false,
  });
  const readers = people.filter(({ is_broker: isBroker }) => isForBrokers || !isBroker);
  const found = asked && asked.start !== closed ? namedLike(readers, asked.name) : [];
  const current = Math.min(active, found.length - 1);

  const choose = (person: Person | undefined) => {
    if (!person || !asked) return;
    const before = `${text.slice(0, asked.start)}@${person.name} `;
    onText(before + text.slice(caret));
    setChosen((others) => [...others.filter(({ operator_id: id }) => id !== person.operator_id), person]);
    setCaret(before.length);
    setClosed(asked.start);
    // Once the field has the text.
    requestAnimationFrame(() => field.current?.setSelectionRange(before.length, before.length));
    field.current?.focus();
  };

  /** Returns whether the key was for the list. */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (found.length === 0 || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return false;
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => setActive((current + 1) % found.length),
      ArrowUp: () => setActive((current + found.length - 1) % found.length),
      Enter: () => choose(found[current]),
      Tab: () => choose(found[current]),
      Escape: () => setClosed(asked?.start),
    };
    const move = moves[event.key];
    if (!move) return false;
    event.preventDefault();
    event.stopPropagation();
    move();
    return true;
  };

  return {
    found,
    current,
    listId,
    choose,
    onKeyDown,
    /** Call it with each change and move of the caret. */
    onCaret: ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>) => {
      const at = currentTarget.selectionStart;
      if (at === caret) return;
      setCaret(at);
      setActive(0);
      if (mentionAt(currentTarget.value, at)?.start !== closed) setClosed(undefined);
    },
    field,
    /** The ids of those whom the text still names. */
    mentioned: chosen.filter(({ name }) => text.includes(`@${name}`)).map(({ operator_id: id }) => id),
  };
}
