import type { Outcome } from '#delivery-kit/attempt';

/** One attempt to deliver an entry. The headers are those of a webhook, with its signature. */
export type DestinationMessage = Readonly<{
  webhookId: string;
  /** Without user and password. */
  url: string;
  /** User and password as in a URL, percent-encoded. */
  credentials: string | undefined;
  headers: Readonly<Record<string, string>>;
  /** The same in every attempt, and so is what follows. */
  id: string;
  /** Of the entry. 0 of a test. */
  position: number;
  type: string;
  /** The order, whose messages are sent one after the other. */
  subject: string;
  body: string;
}>;

/** Sends to one kind of destination. */
export interface DestinationSender {
  /** Never throws. */
  send(message: DestinationMessage): Promise<Outcome>;
  close(): Promise<void>;
}

export function failed(error: string, answer: string | null = null): Outcome {
  return { httpStatus: null, error, answer };
}

export function delivered(answer: string): Outcome {
  return { httpStatus: null, error: null, answer };
}
