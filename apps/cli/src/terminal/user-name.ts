import { userInfo } from 'node:os';

/** The logged-in user. In a container the user may have a number but no name. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
