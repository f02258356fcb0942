import { hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import yazl from 'yazl';
import { stringifyJson } from '#base/json';

export type PackFile = Readonly<{ name: string; content: Buffer }>;

/** What stands in `manifest.json` besides the files. `left_out`: kept by the seller, and not in this archive. */
export type PackLabel = Readonly<{
  as_of: string;
  dispute_id: string;
  order_id: string;
  masked: boolean;
  left_out: readonly Readonly<{ name: string; sha256: string }>[];
}>;

export const EVIDENCE_PDF = 'evidence.pdf';
const MANIFEST = 'manifest.json';

export async function packArchive(files: readonly PackFile[], label: PackLabel): Promise<Buffer> {
  const listed = files.map(({ name, content }) => ({ name, sha256: hash('sha256', content, 'hex') }));
  const manifest = Buffer.from(`${stringifyJson({ ...label, files: listed })}\n`);
  const zip = new yazl.ZipFile();
  // The only time in it, so the archive does not depend on when it is written.
  const options = { mtime: new Date(label.as_of), mode: 0o100644 };
  for (const { name, content } of [...files, { name: MANIFEST, content: manifest }])
    zip.addBuffer(content, name, options);
  zip.end();
  return await buffer(zip.outputStream);
}

/** Without the manifest. */
export async function filesInPack(archive: Buffer): Promise<PackFile[]> {
  return (await filesInArchive(archive)).filter(({ name }) => name !== MANIFEST);
}

export async function filesInArchive(archive: Buffer): Promise<PackFile[]> {
  const zip = await fromBufferPromise(archive, { autoClose: false });
  const files: PackFile[] = [];
  for await (const entry of zip.eachEntry()) {
    files.push({ name: entry.fileName, content: await buffer(await zip.openReadStreamPromise(entry)) });
  }
  return files;
}
