import { InvalidArgumentError } from 'commander';

const DAY = /^\d{4}-\d\d-\d\d$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Parses an option as ISO 8601 in UTC. A day without a time means midnight UTC, and a message says so.
 * @param option the name of the option, for that message.
 */
export function pointInTime(option: string, print: (line: string) => void = console.error): (text: string) => string {
  return (text) => {
    const at = new Date(text);
    const isReal = !Number.isNaN(at.getTime()) && isDayOfItsMonth(text);
    if (isReal && INSTANT.test(text)) return at.toISOString();
    if (!isReal || !DAY.test(text)) {
      throw new InvalidArgumentError(
        'It must be a day or a time with its zone, e.g. 2026-11-21 or 2026-11-21T12:00:00Z.',
      );
    }
    print(`${option} ${text} is taken as ${at.toISOString()}.`);
    return at.toISOString();
  };
}

/** `Date` accepts February 31st as a day in March. */
function isDayOfItsMonth(text: string): boolean {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10));
}
