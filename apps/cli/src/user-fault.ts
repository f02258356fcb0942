import { SettingsFault } from '#config/settings';

/** What the person at the keyboard can put right: its message is all that is printed. */
export class UserFault extends Error {}

/** What to print of an error that ends a command: a sentence where it helps, the stack where the fault is ours. */
export function explain(error: unknown): unknown {
  if (error instanceof UserFault || error instanceof SettingsFault) return error.message;
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return `Willcall may not use ${path ?? 'a file'} (${code}): it belongs to another user or is read-only.`;
  }
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return `Willcall cannot reach a server it needs: ${message}`;
  return error;
}
