import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A secret to look for: its name, and everything that would give it away, in bytes read as Latin-1. */
export type Secret = Readonly<{ name: string; pattern: RegExp }>;

/** A card number in the forms in which it could be kept: with spaces or dashes, in Base64, in hex. */
export function cardTraces(number: string): Secret {
  const spaced = number.split('').join('[ -]?');
  return { name: number, pattern: new RegExp([spaced, ...encodings(number)].join('|'), 'i') };
}

/**
 * Three or four digits are too short to be looked for everywhere: a CVV is looked for behind its name, and one of four also
 * as a value of its own. It should begin with 0 then, as no number does that a program writes.
 */
export function cvvTraces(cvv: string): Secret {
  const named = `cvv\\W{1,8}${cvv}`;
  const alone = `(?<![\\w.+/-])${cvv}(?![\\w+/-])`;
  return { name: `CVV ${cvv}`, pattern: new RegExp(cvv.length < 4 ? named : `${named}|${alone}`, 'i') };
}

/** Hex, and Base64 wherever in a longer text the secret begins. */
function encodings(text: string): string[] {
  const bytes = Buffer.from(text);
  const base64 = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // What shares its sextets with the neighbours is left out.
    return encoded.slice(Math.ceil((before * 8) / 6), -1);
  });
  return [bytes.toString('hex'), ...base64.map((part) => part.replaceAll('+', '\\+'))];
}

/** `file: secret` for each file below the folders that has a trace of one. */
export function tracesIn(folders: readonly string[], secrets: readonly Secret[]): string[] {
  return folders.flatMap(filesBelow).flatMap((file) => {
    const content = readFileSync(file).toString('latin1');
    return secrets.filter(({ pattern }) => pattern.test(content)).map(({ name }) => `${file}: ${name}`);
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
