import { prettyFactory } from 'pino-pretty';

// What a terminal acts on instead of showing it: control characters, and those that turn the direction of writing.
const ACTED_ON = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/** Makes one readable line for a terminal out of a JSON line of the log: local time, level, process, message, fields. */
export function terminalLines(colour: boolean): (json: string) => string {
  const pretty = prettyFactory({
    colorize: colour,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    messageKey: 'message',
    ignore: 'process',
    // These would get lines of their own.
    errorLikeObjectKeys: [],
    messageFormat: '{process} {message}',
  });
  return (json) => pretty(printable(JSON.parse(json)) as object);
}

/** Texts may come from outside: none of them may move the cursor, recolour the screen or begin a line. */
function printable(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(/\s*\n\s*/g, ' | ').replaceAll(ACTED_ON, (character) => `<${codePoint(character)}>`);
  }
  if (Array.isArray(value)) return value.map(printable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [printable(name), printable(held)]));
}

const codePoint = (character: string) => `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
