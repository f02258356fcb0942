import type { NewEvent, RecordedEvent } from './event.js';
import type { AppendContext, InlineProjection } from './inline-projection.js';

export type StreamFold<State, E extends NewEvent> = Readonly<{
  initial: State;
  /** Must be pure. */
  evolve(state: State, event: RecordedEvent<E>): State;
  /** The same for several events in turn, where that costs less than one by one. Must be pure. */
  evolveAll?(state: State, events: readonly RecordedEvent<E>[]): State;
  /** Unknown types in the log are an error and never skipped. */
  knows(type: string): type is E['type'];
}>;

export type StreamDefinition<State, E extends NewEvent> = StreamFold<State, E> &
  Readonly<{ projections: readonly InlineProjection<State, E>[] }>;

/** Throws on an event of an unknown type. */
export function fold<State, E extends NewEvent>(
  { initial, evolve, evolveAll, knows }: StreamFold<State, E>,
  events: readonly RecordedEvent[],
  from: State = initial,
): State {
  for (const { type } of events) {
    if (!knows(type)) {
      throw new Error(`The log has an event of the unknown type ${type}: deploy the code that reads it first.`);
    }
  }
  const known = events as readonly RecordedEvent[] as readonly RecordedEvent<E>[];
  return evolveAll ? evolveAll(from, known) : known.reduce((state, event) => evolve(state, event), from);
}

/** As if one append had written the whole stream. */
export function wholeAppend<State, E extends NewEvent>(
  definition: StreamFold<State, E>,
  events: readonly [RecordedEvent, ...RecordedEvent[]],
): AppendContext<State, E> {
  const after = fold(definition, events);
  const appended = events as readonly RecordedEvent[] as readonly RecordedEvent<E>[];
  const { initial: before } = definition;
  return { stream: events[0].stream, past: [], appended, before, after, attachments: {} };
}
