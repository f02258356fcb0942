import { prettyFactory } from 'pino-pretty';
import { parseJson } from '#base/json';

// Characters that a terminal executes instead of displaying, including changes of the writing direction.
const ACTED_ON = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/** Formats a JSON log line as local time, level, process, message, fields. */
export function terminalLines(colour: boolean): (json: string) => string {
  const pretty = prettyFactory({
    colorize: colour,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    messageKey: 'message',
    ignore: 'process',
    // Otherwise errors would get extra lines.
    errorLikeObjectKeys: [],
    messageFormat: '{process} {message}',
  });
  return (json) => pretty(printable(parseJson(json)) as object);
}

/** Texts may come from strangers. They must not move the cursor, change colours or start a new line. */
function printable(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(/\s*\n\s*/g, ' | ').replaceAll(ACTED_ON, (character) => `<${codePoint(character)}>`);
  }
  if (Array.isArray(value)) return value.map(printable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [printable(name), printable(held)]));
}

const codePoint = (character: string) => `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
