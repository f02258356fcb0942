import type { LoggerService } from '@nestjs/common';
import { type Logger as PinoLogger, pino } from 'pino';
import { SystemClock } from '#base/clock';
import { isTracing, traceFields } from '#base/tracing';
import { terminalLines } from './terminal-lines.js';

/** Writes one line per entry to standard output. Pass only explicit fields: never a request, a body or parameters. */
export abstract class Logger {
  abstract info(fields: object, message: string): void;
  abstract warn(fields: object, message: string): void;
  abstract error(fields: object, message: string): void;
  abstract debug(fields: object, message: string): void;
}

const STANDARD_OUTPUT = 1;
const { stdout } = process;

export type LogFormat = 'auto' | 'pretty' | 'json';

/** @param format `auto` means readable lines if standard output is a terminal, else JSON. */
export function createLogger(process: string, level: string, format: LogFormat = 'auto'): PinoLogger {
  const formatters = { level: (label: string) => ({ level: label }) };
  const options = {
    level,
    base: { process },
    timestamp: timeOfEntry,
    messageKey: 'message',
    formatters,
    ...(isTracing() && { mixin: traceFields }),
  };
  const output = new LineBuffer(STANDARD_OUTPUT);
  const isPretty = format === 'pretty' || (format === 'auto' && stdout.isTTY);
  const toLine = isPretty ? terminalLines(stdout.isTTY && stdout.hasColors()) : inAscii;
  return pino(options, { write: (json: string) => output.write(toLine(json)) });
}

const clock = new SystemClock();
let latest = { ms: Number.NaN, field: '' };

/** As pino's `isoTime`. Formatting takes 3 µs, and a busy api writes several lines within a millisecond. */
function timeOfEntry(): string {
  const ms = clock.now();
  if (ms !== latest.ms) latest = { ms, field: `,"time":"${new Date(ms).toISOString()}"` };
  return latest.field;
}

/** Writes the lines of one turn of the event loop together, which saves a busy api a twentieth of its time. A kill loses that turn. */
export class LineBuffer {
  private readonly output: ReturnType<typeof pino.destination>;
  private awaitsFlush = false;

  /** @param dest a file name or a file descriptor */
  constructor(dest: string | number) {
    this.output = pino.destination({ dest, sync: true, minLength: 8_192 });
    // Only at exit, because it waits for the disk.
    process.on('exit', () => this.output.flushSync());
  }

  write(line: string): void {
    this.output.write(line);
    if (this.awaitsFlush) return;
    this.awaitsFlush = true;
    setImmediate(() => this.flush());
  }

  private flush(): void {
    this.awaitsFlush = false;
    this.output.flush();
  }
}

const NOT_PRINTABLE_ASCII = /[^\n\x20-\x7e]/g;

/** Escapes all non-ASCII characters: a transaction id may contain C1 control characters, which some terminals execute. */
export function inAscii(line: string): string {
  return line.replace(NOT_PRINTABLE_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** What may be logged of an error. Never log the error itself: a database error contains parameters, an HTTP error the body. */
export function errorFields(error: unknown): { fault: string; code?: string; stack?: string } {
  if (!(error instanceof Error)) return { fault: typeof error };
  const code = (error as { code?: unknown }).code;
  // Only the frames: the first lines are the message, which may quote values.
  const frames = error.stack
    ?.split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 8)
    .join('\n');
  const cause = error.cause === undefined ? {} : { cause: errorFields(error.cause) };
  return {
    fault: quotesValues(error) ? error.name : `${error.name}: ${error.message}`,
    ...(typeof code === 'string' && { code }),
    ...(frames && { stack: frames }),
    ...cause,
  };
}

// Messages of SQLSTATE classes 22 (data exception) and 23 (integrity) quote the offending value. So do those of JSON.parse.
function quotesValues(error: Error & { code?: unknown }): boolean {
  return error instanceof SyntaxError || (typeof error.code === 'string' && /^2[23]/.test(error.code));
}

export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }

  warn(message: unknown, context?: unknown): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, _stack?: unknown, context?: unknown): void {
    this.logger.error({ context }, String(message));
  }
}
