import { formatWithOptions } from 'node:util';

// Everything that moves the cursor, changes colours or titles, or turns the direction of writing. Tabs and line feeds are ours.
const ACTED_ON = /[^\P{Cc}\t\n]|[\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Makes `console.log` and `console.error` write such characters as `\u{…}`. Texts of strangers reach a terminal in many ways, also
 * in the messages of errors.
 */
export function escapeConsole(target: Pick<Console, 'log' | 'error'> = console): void {
  for (const name of ['log', 'error'] as const) {
    const print = target[name].bind(target);
    target[name] = (...values: unknown[]) => print(escaped(formatWithOptions({ colors: false }, ...values)));
  }
}

function escaped(text: string): string {
  return text.replaceAll(ACTED_ON, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
