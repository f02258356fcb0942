import { IssuedStreamToken } from '#outbound/stream-token.contract';
import type { TestApi } from '../api.js';

/** A new token that reads the ping stream of this api. */
export async function streamToken({ staff }: Pick<TestApi, 'staff'>, name: string): Promise<IssuedStreamToken> {
  return IssuedStreamToken.parse((await staff.send('POST', 'stream-tokens', { name })).body);
}
