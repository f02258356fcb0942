import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import Negotiator from 'negotiator';

/** Below this size compression saves no packet. */
export const COMPRESSED_FROM_BYTES = 1_024;

// Each answer is compressed for one reader only. These fast levels produce about a tenth more than the best ones.
const GZIP_LEVEL = 4;
const BROTLI_QUALITY = 4;

const brotlied = promisify(brotliCompress);
const gzipped = promisify(gzip);

export type Encoding = 'br' | 'gzip';

const ENCODINGS: readonly Encoding[] = ['br', 'gzip'];

/** The encoding that an `Accept-Encoding` prefers of those that we have, and Brotli of equal ones; undefined for none. */
export function encodingFor(accepted: string | undefined): Encoding | undefined {
  if (!accepted) return undefined;
  return new Negotiator({ headers: { 'accept-encoding': accepted } }).encoding(ENCODINGS, { preferred: ENCODINGS });
}

export function compressed(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return gzipped(body, { level: GZIP_LEVEL });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  return brotlied(body, { params });
}

// Brotli's usual window takes several megabytes for each answer that is being sent.
const STREAM_WINDOW_BITS = 18;

/** The memory of a compressor, at most. */
export const COMPRESSOR_BYTES: Readonly<Record<Encoding, number>> = { br: 2 * 1024 * 1024, gzip: 512 * 1024 };

/** Compresses a long body while it is sent. */
export function compressor(encoding: Encoding): Transform {
  if (encoding === 'gzip') return createGzip({ level: GZIP_LEVEL });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: STREAM_WINDOW_BITS,
  };
  return createBrotliCompress({ params });
}
