import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { parseJson } from '#base/json';
import { SystemRandomness } from '#base/randomness';
import { Sealer } from '#base/sealing';
import { Manifest, signedText } from '../../apps/cli/src/backup/manifest.js';

/** A backup with files replaced or added, whose digests are right. It is signed with `key`, or not at all. */
export async function changedArchive(path: string, changes: Record<string, string>, key?: string): Promise<Buffer> {
  const from = extract();
  from.end(gunzipSync(readFileSync(path)));
  const to = pack();
  let manifest: Manifest | undefined;
  for await (const entry of from) {
    const content = await buffer(entry);
    const { name, type, mode } = entry.header;
    if (name === 'manifest.json') manifest = Manifest.parse(parseJson(content.toString()));
    else if (changes[name] === undefined) to.entry({ name, type: type ?? 'file', mode: mode ?? 0o600 }, content);
  }
  if (!manifest) throw new Error(`${path} has no manifest`);
  for (const [name, text] of Object.entries(changes)) {
    to.entry({ name, mode: 0o600 }, text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    manifest.files[name] = { size: Buffer.byteLength(text), sha256 };
  }
  const sealer = new Sealer(key === undefined ? randomBytes(32) : Buffer.from(key, 'base64'), new SystemRandomness());
  const hmac = sealer.digest('backup-manifest', signedText(manifest)).toString('hex');
  to.entry({ name: 'manifest.json' }, JSON.stringify({ ...manifest, hmac: key && hmac }));
  to.finalize();
  return gzipSync(await buffer(to), { level: 1 });
}
