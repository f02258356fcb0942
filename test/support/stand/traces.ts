import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A secret to search for in bytes read as Latin-1. */
export type Secret = Readonly<{ name: string; pattern: RegExp }>;

/** A card number in every form in which it could be stored: with spaces or dashes, in Base64, in hex. */
export function cardTraces(number: string): Secret {
  const spaced = number.split('').join('[ -]?');
  return { name: number, pattern: new RegExp([spaced, ...encodings(number)].join('|'), 'i') };
}

/**
 * Three digits alone are too short to search for, so a CVV is searched after its name. One of four digits is also searched as a value
 * of its own. Let it begin with 0, because numbers that programs write do not.
 */
export function cvvTraces(cvv: string): Secret {
  const named = `cvv\\W{1,8}${cvv}`;
  const alone = `(?<![\\w.+/-])${cvv}(?![\\w+/-])`;
  return { name: `CVV ${cvv}`, pattern: new RegExp(cvv.length < 4 ? named : `${named}|${alone}`, 'i') };
}

/** Hex, and Base64 for each possible offset in a longer text. */
function encodings(text: string): string[] {
  const bytes = Buffer.from(text);
  const base64 = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // Leave out characters that share bits with the neighbours.
    return encoded.slice(Math.ceil((before * 8) / 6), -1);
  });
  return [bytes.toString('hex'), ...base64.map((part) => part.replaceAll('+', '\\+'))];
}

/** `file: secret` for each secret found in a file below the folders. */
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
