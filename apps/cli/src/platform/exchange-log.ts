import { type Answer, type TimeoutError, statusLine, type Attempt } from '#client/checkout-calls';
import { ErrorBody } from '#web/error-body.contract';
import { stringifyJson } from '#base/json';
import { EXIT, type ExitCode } from '../terminal/exit-codes.js';

/** `json` prints only the JSON of the answer. `quiet` prints nothing of a successful request. */
export type OutputOptions = Readonly<{
  json: boolean;
  verbose: boolean;
  quiet: boolean;
  print: (text: string) => void;
}>;

/** Prints requests and answers. */
export class ExchangeLog {
  constructor(
    private readonly output: OutputOptions,
    private readonly origin: string,
  ) {}

  /** Call this with each attempt of a request. */
  logAttempt({ sent, outcome, waitMs }: Attempt): void {
    if (this.output.quiet && isOk(outcome)) return;
    this.print(`> ${sent.method} ${this.origin}${sent.path}${sent.search}`);
    if (this.output.verbose) {
      this.print(`  transaction id: ${sent.transactionId}`);
      this.print(indented(`signed text:\n${sent.method}\n${sent.path}\n${sent.body}`));
    }
    this.print(`< ${outcome.answered ? statusLine(outcome) : outcome.error}`);
    if (waitMs !== undefined) this.print(`  trying again in ${(waitMs / 1_000).toFixed(1)} s`);
  }

  /** @returns the exit code: `ok` after a 2xx, `problem` after any other answer, `unreachable` without one. */
  finish(outcome: Answer | TimeoutError): ExitCode {
    if (!outcome.answered) {
      if (this.output.json) this.output.print(stringifyJson({ no_answer: outcome.error }));
      return EXIT.unreachable;
    }
    const json = stringifyJson(outcome.body ?? null, 2);
    if (this.output.json) this.output.print(json);
    else this.print(isOk(outcome) ? numbersInOneLine(json) : errorText(outcome));
    return isOk(outcome) ? EXIT.ok : EXIT.problem;
  }

  print(text: string): void {
    if (!this.output.json) this.output.print(text);
  }
}

function isOk(outcome: Answer | TimeoutError): boolean {
  return outcome.answered && outcome.status >= 200 && outcome.status < 300;
}

function errorText({ body }: Answer): string {
  const error = ErrorBody.safeParse(body);
  if (!error.success) return 'Refused, without an Error body.';
  const lines = error.data.errors.flatMap(({ code, message, user_message: forBuyer }) => [
    `  ${code}  ${message}`,
    ...(forBuyer ? [`         to the buyer: ${forBuyer}`] : []),
  ]);
  return ['Refused:', ...lines].join('\n');
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

/** Keeps long lists of numbers, such as splits, on one line. A JSON string contains no line break, so only lists match. */
function numbersInOneLine(json: string): string {
  return json.replaceAll(/\[\n[\d\s,.]+\]/g, (list) =>
    list.replaceAll(/\s+/g, ' ').replace('[ ', '[').replace(' ]', ']'),
  );
}
