import { stringifyJson } from '#base/json';
// Control and format characters, lone surrogates, unassigned characters and line separators: foreign text must not control the
// terminal.
const INVISIBLE = /[\p{C}\u2028\u2029]/gu;

/** Writes every character that a terminal would interpret or hide as `\u{…}`. */
export function visible(text: string): string {
  return text.replaceAll(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Multi-line JSON with the same value and without characters that a terminal would interpret. */
export function safeJson(value: unknown): string {
  return stringifyJson(value, 2).replaceAll(/[^\P{C}\n]|[\u2028\u2029]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Rows in columns below a header. Foreign texts are made visible. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const shown = [head, ...rows.map((row) => row.map(visible))];
  const widths = head.map((_, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)));
  return shown
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
