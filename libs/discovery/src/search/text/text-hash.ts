/** A 32-bit hash (FNV-1a). Among 200,000 texts a given other text collides with none in 99.995 % of cases. */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}
