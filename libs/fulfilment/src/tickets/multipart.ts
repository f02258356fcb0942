import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { HttpError } from '#web/http-error';

export type MultipartLimits = Readonly<{ files: number; fields: number; fieldBytes: number }>;

export type FilePart = Readonly<{ name: string; mediaType: string; content: Readable }>;

export type Multipart<File> = Readonly<{ files: readonly File[]; fields: ReadonlyMap<string, readonly string[]> }>;

/**
 * Reads a multipart body while it arrives. `onFile` gets one file after the other and must read its content to the end.
 * @throws HttpError, and what `onFile` throws; the rest of the body is then unread
 */
export async function readMultipart<File>(
  headers: IncomingHttpHeaders,
  body: Readable,
  limits: MultipartLimits,
  onFile: (part: FilePart) => Promise<File>,
): Promise<Multipart<File>> {
  const parser = parserOf(headers, limits);
  const files: Promise<File>[] = [];
  const contents: Readable[] = [];
  const fields = new Map<string, string[]>();
  try {
    await new Promise<void>((resolve, reject) => {
      const refuse = (detail: string) => () => reject(HttpError.with(40001, detail));
      parser.on('file', (_field, content, name, _encoding, mediaType) => {
        // Destroyed below if another part is wrong.
        content.on('error', () => undefined);
        contents.push(content);
        const file = onFile({ name: name ?? '', mediaType, content });
        file.catch(reject);
        files.push(file);
      });
      parser.on('field', (name, value, _nameTruncated, isTruncated) => {
        if (isTruncated) refuse('a field is too long')();
        fields.set(name, [...(fields.get(name) ?? []), value]);
      });
      parser.on('filesLimit', refuse(`at most ${limits.files} files at once`));
      parser.on('fieldsLimit', refuse(`at most ${limits.fields} fields`));
      parser.on('partsLimit', refuse('too many parts'));
      parser.on('error', () => reject(HttpError.with(40000, 'the multipart body')));
      parser.on('finish', resolve);
      body.on('close', () => {
        if (!body.readableEnded) reject(HttpError.with(40000, 'the upload broke off'));
      });
      body.pipe(parser);
    });
    return { files: await Promise.all(files), fields };
  } catch (error) {
    body.unpipe(parser);
    for (const content of contents) content.destroy(new Error('the upload is refused'));
    await Promise.allSettled(files);
    throw error;
  }
}

function parserOf(headers: IncomingHttpHeaders, { files, fields, fieldBytes }: MultipartLimits): BusboyInstance {
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      // A path is refused, not cut off.
      preservePath: true,
      limits: { files, fields, parts: files + fields, fieldSize: fieldBytes, headerPairs: 20, headerSize: 4_096 },
    });
  } catch {
    throw HttpError.with(40000, 'multipart/form-data with a boundary is needed');
  }
}
