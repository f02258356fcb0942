import type { LoggerService } from '@nestjs/common';
import { type Logger as PinoLogger, pino } from 'pino';
import { terminalLines } from './terminal-lines.js';

/** One line per entry on standard output. Only named fields are ever logged: no request, no body, no parameters. */
export abstract class Logger {
  abstract info(fields: object, message: string): void;
  abstract warn(fields: object, message: string): void;
  abstract error(fields: object, message: string): void;
  abstract debug(fields: object, message: string): void;
}

const STANDARD_OUTPUT = 1;
const { stdout } = process;

export type LogFormat = 'auto' | 'pretty' | 'json';

/** `auto`: readable lines where standard output is a terminal, JSON where something else reads it. */
export function createLogger(process: string, level: string, format: LogFormat = 'auto'): PinoLogger {
  const formatters = { level: (label: string) => ({ level: label }) };
  const options = {
    level,
    base: { process },
    timestamp: pino.stdTimeFunctions.isoTime,
    messageKey: 'message',
    formatters,
  };
  const output = new LineBuffer(STANDARD_OUTPUT);
  const isPretty = format === 'pretty' || (format === 'auto' && stdout.isTTY);
  const toLine = isPretty ? terminalLines(stdout.isTTY && stdout.hasColors()) : inAscii;
  return pino(options, { write: (json: string) => output.write(toLine(json)) });
}

/**
 * Writes the lines of one turn of the event loop in one go: for each alone the system call would be a twentieth of what a
 * busy api does (docs/decisions.md). A process that is killed in the midst of a turn takes that turn's lines along.
 */
export class LineBuffer {
  private readonly output: ReturnType<typeof pino.destination>;
  private awaitsFlush = false;

  /** `dest` is a file, or the number of an open one. */
  constructor(dest: string | number) {
    this.output = pino.destination({ dest, sync: true, minLength: 8_192 });
    // Not at every turn: it waits for the disk.
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

/** The same JSON in ASCII: C1 control characters, which a transaction id may hold, are commands to some terminals. */
export function inAscii(line: string): string {
  return line.replace(NOT_PRINTABLE_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * What may be said of a fault. A database error carries the statement's parameters and an HTTP error the body it was
 * made from, so the error object itself must never reach the log.
 */
export function errorFields(error: unknown): { fault: string; code?: string; stack?: string } {
  if (!(error instanceof Error)) return { fault: typeof error };
  const code = (error as { code?: unknown }).code;
  // The first line of a stack is the message: that of a database error may quote values, the frames cannot.
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

// SQLSTATE classes 22 (data exception) and 23 (integrity) put the offending value into the message; so does JSON.parse.
function quotesValues(error: Error & { code?: unknown }): boolean {
  return error instanceof SyntaxError || (typeof error.code === 'string' && /^2[23]/.test(error.code));
}

/** Nest's own messages through the same logger. */
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
