import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { fromBufferPromise } from 'yauzl';
import { parseSettings } from '#base/load-settings';
import { withDemoPasses } from '../../../apps/cli/src/supervisor/demo-pass-certificate.js';
import { temporaryFolder } from '../temporary-folder.js';

/** The settings of an api that signs passes, with a certificate that was made for them. */
export async function passSettings() {
  const settings = await withDemoPasses(parseSettings({ DATA_DIR: temporaryFolder('passes') }));
  const {
    PASS_CERT_FILE = '',
    PASS_KEY_FILE = '',
    PASS_WWDR_FILE = '',
    PASS_TYPE_ID = '',
    PASS_TEAM_ID = '',
  } = settings;
  return { PASS_CERT_FILE, PASS_KEY_FILE, PASS_WWDR_FILE, PASS_TYPE_ID, PASS_TEAM_ID };
}

/** What a test reads of a `pass.json`. */
export type PassJson = Readonly<{
  serialNumber: string;
  authenticationToken: string;
  webServiceURL?: string;
  passTypeIdentifier: string;
  relevantDate?: string;
  voided?: boolean;
  barcodes?: readonly { format: string; message: string }[];
  eventTicket: Readonly<Record<string, readonly { key: string; value: string }[]>>;
}>;

/** The files of a pass, by name, and its `pass.json`. @throws Error if one of them is not as its manifest says */
export async function openedPass(bytes: Buffer): Promise<{ files: ReadonlyMap<string, Buffer>; pass: PassJson }> {
  const archive = await fromBufferPromise(bytes, { autoClose: false });
  const files = new Map<string, Buffer>();
  for await (const entry of archive.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await archive.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    files.set(entry.fileName, Buffer.concat(chunks));
  }
  const read = (name: string): unknown => JSON.parse(files.get(name)?.toString() ?? '');
  const hashes = [...files].filter(([name]) => name !== 'manifest.json' && name !== 'signature');
  const expected = hashes.map(([name, content]) => [name, createHash('sha1').update(content).digest('hex')] as const);
  const manifest = read('manifest.json') as object;
  if (!isDeepStrictEqual(manifest, Object.fromEntries(expected))) throw new Error('The manifest differs.');
  return { files, pass: read('pass.json') as PassJson };
}
