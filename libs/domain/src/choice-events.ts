export const CHOICE_ANSWERS = ['keep', 'refund'] as const;
export type ChoiceAnswer = (typeof CHOICE_ANSWERS)[number];

/** The buyer may keep the tickets of a show that was postponed, or give them back. A job asks an order once. */
export type Choice = Readonly<{
  job: string;
  /** ISO 8601. Without an answer until then the buyer keeps the tickets. */
  until: string;
  answer: ChoiceAnswer | null;
}>;

export type ChoiceEvent =
  | { type: 'ChoiceAsked'; data: Readonly<{ job: string; until: string }> }
  | { type: 'ChoiceMade'; data: Readonly<{ job: string; answer: ChoiceAnswer }> };

export const CHOICE_EVENTS: {
  readonly [T in ChoiceEvent['type']]: Readonly<{ status: null; meaning: string }>;
} = {
  ChoiceAsked: {
    status: null,
    meaning:
      'The show was postponed by `job`, and the buyer may keep the tickets or give them back until `until`. No answer keeps them. It takes the ' +
      'place of an earlier choice. The status stays the same, so there is no ping.',
  },
  ChoiceMade: {
    status: null,
    meaning:
      'The buyer chose to keep the tickets or to give them back. After `refund` the rejection and its refund follow.',
  },
};
