import { parseJson, stringifyJson } from '#base/json';
// In the JSON text of a document. A quote in a text is escaped, so no text looks like a field. An address without a scheme has
// no colon before its first slash. Escapes count as unsafe, because browsers ignore a tab or a line feed in a scheme.
const SAFE = String.raw`https?:\/\/|[^":\\]*(?=[\/"])`;
const TEXT = String.raw`"(?:[^"\\]|\\.)*"`;
const UNSAFE_FIELD = new RegExp(String.raw`"(url|image)":"(?!${SAFE})(?:[^"\\]|\\.)*"`, 'gi');
const IMAGES = new RegExp(String.raw`"images":\{(?:${TEXT}[:,]?)*\}`, 'g');
const UNSAFE_ENTRY = new RegExp(String.raw`^"(?!${SAFE})`, 'i');
// Nearly all images are like that. Parsing them would take twice the time of everything else here.
const PLAIN_SAFE_IMAGES = new RegExp(String.raw`^"images":\{(?:"[^"\\]*":"(?:${SAFE})[^"\\]*"(?:,(?=")|(?=\})))*\}$`);

/**
 * Removes addresses with another scheme than http and https, such as `javascript:`, from the JSON of a document. An import refuses
 * them, but earlier versions stored them.
 */
export function withSafeAddresses(json: string): string {
  return json
    .replace(UNSAFE_FIELD, (_, name: string) => (name === 'image' ? '"image":null' : `"${name}":""`))
    .replace(IMAGES, safeImages);
}

function safeImages(field: string): string {
  if (PLAIN_SAFE_IMAGES.test(field)) return field;
  const images = Object.entries((parseJson(`{${field}}`) as { images: Record<string, string> }).images);
  const safe = images.filter(([, address]) => !UNSAFE_ENTRY.test(stringifyJson(address)));
  return safe.length === images.length ? field : `"images":${stringifyJson(Object.fromEntries(safe))}`;
}
