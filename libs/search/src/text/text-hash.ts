/** A text by a number of 32 bits (FNV-1a): of 200,000 texts a given other one meets none in 99.995 % of cases. */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}
