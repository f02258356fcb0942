import { type Answer, type TimeoutError, statusLine, type Try } from '#client/checkout-calls';
import { ErrorBody } from '#contracts/checkout/error-body';
import { EXIT, type ExitCode } from '../exit-codes.js';

/** With `json` nothing is said but the JSON of the answer; with `quiet` nothing of a request that went well. */
export type Voice = Readonly<{ json: boolean; verbose: boolean; quiet: boolean; print: (text: string) => void }>;

/** Says what goes over the wire. */
export class Conversation {
  constructor(
    private readonly voice: Voice,
    private readonly origin: string,
  ) {}

  /** Called with each try of a request. */
  tried({ sent, outcome, waitMs }: Try): void {
    if (this.voice.quiet && isFine(outcome)) return;
    this.say(`> ${sent.method} ${this.origin}${sent.path}${sent.search}`);
    if (this.voice.verbose) {
      this.say(`  transaction id: ${sent.transactionId}`);
      this.say(indented(`signed text:\n${sent.method}\n${sent.path}\n${sent.body}`));
    }
    this.say(`< ${outcome.answered ? statusLine(outcome) : outcome.error}`);
    if (waitMs !== undefined) this.say(`  trying again in ${(waitMs / 1_000).toFixed(1)} s`);
  }

  /** @returns the exit code: `ok` after a 2xx, `problem` after any other answer, `unreachable` without one. */
  ended(outcome: Answer | TimeoutError): ExitCode {
    if (!outcome.answered) {
      if (this.voice.json) this.voice.print(JSON.stringify({ no_answer: outcome.error }));
      return EXIT.unreachable;
    }
    const json = JSON.stringify(outcome.body ?? null, null, 2);
    if (this.voice.json) this.voice.print(json);
    else this.say(isFine(outcome) ? numbersInOneLine(json) : refusal(outcome));
    return isFine(outcome) ? EXIT.ok : EXIT.problem;
  }

  say(text: string): void {
    if (!this.voice.json) this.voice.print(text);
  }
}

function isFine(outcome: Answer | TimeoutError): boolean {
  return outcome.answered && outcome.status >= 200 && outcome.status < 300;
}

function refusal({ body }: Answer): string {
  const refused = ErrorBody.safeParse(body);
  if (!refused.success) return 'Refused, without an Error body.';
  const lines = refused.data.errors.flatMap(({ code, message, user_message: forBuyer }) => [
    `  ${code}  ${message}`,
    ...(forBuyer ? [`         to the buyer: ${forBuyer}`] : []),
  ]);
  return ['Refused:', ...lines].join('\n');
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

/** The splits of a listing alone would fill a screen. No text of JSON has a line end in it, so only lists are found. */
function numbersInOneLine(json: string): string {
  return json.replaceAll(/\[\n[\d\s,.]+\]/g, (list) =>
    list.replaceAll(/\s+/g, ' ').replace('[ ', '[').replace(' ]', ']'),
  );
}
