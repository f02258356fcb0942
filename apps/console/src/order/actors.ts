import { useInfiniteQuery } from '@tanstack/react-query';
import { timelineQuery } from '../api/desk.js';
import { wordFor } from '../words/word-for.js';
import { orderWords as words } from './order-words.js';

/** Who did it: the name if there is one, else the kind of actor. */
export function actorText(actor: string, name: string | null): string {
  const [kind = '', ...rest] = actor.split(':');
  const known = kind === 'platform' ? rest.join(':') : (wordFor(words.actors, kind) ?? kind);
  // Whom an imported file names is nobody that this installation knows.
  return name ?? (kind === 'imported' ? actor : known);
}

/** The names of those who did something to the order, as its timeline on the same page has them. */
export function useActorTexts(orderId: string): (actor: string) => string {
  const { data } = useInfiniteQuery({ ...timelineQuery(orderId), refetchInterval: false });
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (actor) => actorText(actor, entries.find((entry) => entry.actor === actor)?.actor_name ?? null);
}
