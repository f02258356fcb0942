import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
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
