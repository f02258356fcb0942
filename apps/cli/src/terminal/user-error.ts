import type { Refusal } from '#accounts/credential-store';
import { CommanderError } from 'commander';
import { loadSettings, SettingsError } from '#base/load-settings';
import type { Settings } from '#base/settings';
import { DomainError } from '#domain/domain-error';
import { adviceFor, isReadOnlyError } from '#database/unusable-database';
import { UnbuyableListing } from '#sandbox/purchase-request';
import { EXIT, type ExitCode } from './exit-codes.js';

/** An error that the user can correct. Only its message is printed. */
export class UserError extends Error {
  readonly exitCode: ExitCode = EXIT.problem;
}

/** @throws UserError with the sentence of a refusal */
export function unwrap<T extends object | undefined>(result: T): Exclude<T, Refusal<string>> {
  if (isRefusal(result)) throw new UserError(result.message);
  return result as Exclude<T, Refusal<string>>;
}

const isRefusal = (result: object | undefined): result is Refusal<string> => result !== undefined && 'error' in result;

/** The command line is wrong in a way that only the command itself can detect. */
export class UsageError extends UserError {
  override readonly exitCode = EXIT.usage;
}

export class Unreachable extends UserError {
  override readonly exitCode = EXIT.unreachable;
}

/** What to print for an error that ends a command: a sentence if it helps, the stack if the error is a bug. */
export function explain(error: unknown): unknown {
  if ([UserError, SettingsError, DomainError, UnbuyableListing].some((kind) => error instanceof kind))
    return (error as Error).message;
  const settings = knownSettings();
  if (settings?.READ_ONLY && isReadOnlyError(error)) return 'READ_ONLY is true, so this command may not write.';
  const advice = adviceFor(error, settings?.DATABASE_URL);
  if (advice !== undefined) return advice;
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return `Willcall may not use ${path ?? 'a file'} (${code}): it belongs to another user or is read-only.`;
  }
  if (isUnreachable(error)) return `Willcall cannot reach a server it needs: ${message || code}`;
  return error;
}

/** Undefined if the settings are invalid; loading them reports that elsewhere. */
function knownSettings(): Settings | undefined {
  try {
    return loadSettings();
  } catch {
    return undefined;
  }
}

/** The exit code of a command that ended with this error. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof UserError) return error.exitCode;
  return isUnreachable(error) ? EXIT.unreachable : EXIT.problem;
}

const NETWORK = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'];
// PostgreSQL: connection exceptions, shutting down or starting up, out of connections, login refused, no such database.
const DATABASE = /^(08...|57P0[1-3]|53300|28...|3D000)$/;
// The driver gives these no code.
const WITHOUT_CODE = /^(Connection terminated|timeout exceeded when trying to connect)/;

function isUnreachable(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return WITHOUT_CODE.test(message ?? '');
  return NETWORK.includes(code) || DATABASE.test(code);
}
