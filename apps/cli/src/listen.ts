import { Command } from 'commander';
import { Webhook as Signer } from 'standardwebhooks';
import { SystemRandomness } from '#base/randomness';
import { describeError } from '#client/answer-body';
import { livePings, type PingEntry, StreamRequestError } from '#client/pings';
import { headersOf } from '#delivery-kit/signed-message';
import { STATUS_TYPE } from '#outbound/webhook-entries';
import { entryMessage } from '#outbound/webhook-message';
import { generateSecret, checkSecret } from '#outbound/webhook-secret';
import { stringifyJson } from '#base/json';
import { untilInterrupted } from './terminal/interruption.js';
import {
  isWebAddress,
  withServiceOptions,
  type RunningService,
  runningService,
  type ServiceOptions,
} from './running-service.js';
import { visible } from './terminal/text-table.js';
import { UsageError, UserError } from './terminal/user-error.js';
import { wholeNumber } from './terminal/whole-number.js';

type Options = ServiceOptions & Readonly<{ forwardTo: string; secret?: string; after?: number }>;

type Outcome = Readonly<{ text: string; isAccepted: boolean }>;

/** `listen`: forwards each entry of the ping stream to a program on the developer's machine, signed as a webhook. */
export function listenCommand(untilStopped = untilInterrupted): Command {
  return withServiceOptions(new Command('listen'))
    .description('forwards every change of every order to a local address, as a signed webhook; stop it with Ctrl-C')
    .requiredOption('--forward-to <address>', 'http or https, for example http://127.0.0.1:8080/hooks')
    .option('--secret <secret>', 'the signing secret; default: a random one, which is printed')
    .option(
      '--after <position>',
      'begin after this position of the ping stream, 0 for all of it; default: only new entries',
      wholeNumber(0, Number.MAX_SAFE_INTEGER),
    )
    .action(async ({ forwardTo, secret = generateSecret(new SystemRandomness()), after, ...options }: Options) => {
      if (!isWebAddress(forwardTo)) throw new UsageError('--forward-to must be an http:// or https:// address.');
      const refused = checkSecret(secret);
      if (refused !== undefined) throw new UsageError(`--secret ${refused}.`);
      const service = runningService(options);
      console.log(`Forwarding from ${service.url} to ${forwardTo}. Ctrl-C ends it.\nsecret  ${secret}`);
      const forward = forwarder(forwardTo, new Signer(secret), service.settings.PING_TIMEOUT_MS);
      await untilStopped((stopped) => forwardAll(service, { after: after ?? 'now', stopped, forward }));
    });
}

type Forward = (entry: PingEntry, stopped: AbortSignal) => Promise<Outcome>;
type ForwardOptions = Readonly<{ after: number | 'now'; stopped: AbortSignal; forward: Forward }>;

/** One at a time, so that the changes of an order arrive in order. A failure is printed and not retried. */
async function forwardAll({ url, token }: RunningService, { after, stopped, forward }: ForwardOptions): Promise<void> {
  const stream = livePings({
    url,
    token,
    after,
    signal: stopped,
    onInterruption: ({ reason, waitMs }) => console.error(`${reason}; again in ${(waitMs / 1_000).toFixed(1)} s`),
    onEpochChange: ({ last }) => {
      console.error(`The database was restored. Continuing after position ${last}.`);
      return last;
    },
  });
  try {
    for await (const entry of stream) {
      const began = performance.now();
      const { text, isAccepted } = await forward(entry, stopped);
      if (stopped.aborted) return;
      const ms = Math.round(performance.now() - began);
      const { order_id, status_code, status_message } = entry;
      const parts = [
        new Date().toISOString(),
        'order.status',
        order_id,
        `${status_code} ${status_message}`,
        text,
        `${ms} ms`,
      ];
      console.log(visible([...parts, ...(isAccepted ? [] : ['FAILED'])].join('  ')));
    }
  } catch (error) {
    throw error instanceof StreamRequestError ? new UserError(visible(error.message)) : error;
  }
}

function forwarder(address: string, signer: Signer, timeoutMs: number): Forward {
  return async (entry, stopped) => {
    const { id, occurred_at } = entry;
    const message = entryMessage({ type: STATUS_TYPE, id, occurred_at, json: stringifyJson(entry) });
    const headers = headersOf(message, [signer], Date.now());
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)]);
    try {
      const { status, ok, body } = await fetch(address, {
        method: 'POST',
        headers,
        body: message.body,
        redirect: 'manual',
        signal,
      });
      await body?.cancel();
      return { text: String(status), isAccepted: ok };
    } catch (error) {
      return { text: describeError(error), isAccepted: false };
    }
  };
}
