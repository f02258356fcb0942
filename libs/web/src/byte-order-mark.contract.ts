import { z } from 'zod';

/** `bom` in a query that answers CSV. Excel takes UTF-8 without a mark for the encoding of the computer. */
export const ByteOrderMark = z
  .enum(['true', 'false'])
  .default('true')
  .meta({ description: 'whether CSV begins with a byte order mark, by which Excel knows UTF-8' });
