import type { NewEvent } from './event.js';

/**
 * A thing whose state is its events: `decide` says what follows from a command, `evolve` what an event makes of the state.
 * Both are pure. A refusal is returned as an Error with a code, never thrown by `decide` itself.
 */
export type Decider<State, Command, E extends NewEvent> = Readonly<{
  initial: State;
  decide(command: Command, state: State): readonly E[] | Error;
  evolve(state: State, event: E): State;
  /** True for the types `evolve` knows: an event of another type in the log is a fault, never skipped. */
  knows(type: string): type is E['type'];
}>;

/** The state after all of these events. Throws on an event of an unknown type. */
export function fold<State, Command, E extends NewEvent>(
  decider: Decider<State, Command, E>,
  events: readonly NewEvent[],
  from: State = decider.initial,
): State {
  return events.reduce((state, event) => {
    if (!decider.knows(event.type)) {
      throw new Error(`The log has an event of the unknown type ${event.type}: deploy the code that reads it first.`);
    }
    return decider.evolve(state, event as E);
  }, from);
}
