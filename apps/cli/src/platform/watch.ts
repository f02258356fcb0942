import type { Call } from './call.js';

const POLL_EVERY_MS = 2_000;

/**
 * Polls the purchase and prints every change, until it is rejected (no status follows that) or cannot be read. @returns the exit
 * code.
 */
export async function watch(call: Call, id: string, pause: (ms: number) => Promise<unknown>): Promise<number> {
  for (let shown: string | undefined; ;) {
    const outcome = await call.client.purchase(id, { transactionId: call.transactionId });
    const read = JSON.stringify(outcome);
    const code = read === shown ? 0 : call.conversation.finish(outcome);
    if (code !== 0 || statusIn(outcome) === 'rejected') return code;
    shown = read;
    await pause(POLL_EVERY_MS);
  }
}

function statusIn(outcome: object): unknown {
  const { body } = outcome as { body?: { status?: { status?: unknown } } | null };
  return body?.status?.status;
}
