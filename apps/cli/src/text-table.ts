// Control and format characters, lone surrogates, unassigned ones and separators of lines: a stranger's text must not steer a terminal.
const UNSEEN = /[\p{C}\u2028\u2029]/gu;

/** The text with everything that a terminal would obey or hide written as `\u{…}`. */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** The value as JSON of several lines, which means the same and has nothing in it that a terminal would obey. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/[^\P{C}\n]|[\u2028\u2029]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Rows under a head, in columns. Texts of strangers are made visible. */
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
