import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { HttpError } from '#web/http-error';
import { ReaderShares } from './reader-shares.js';

const owner = (id: string) => ({ id, isValid: () => Promise.resolve(true) });

function admitted(settings: ConstructorParameters<typeof ReaderShares>[0], id = 'greedy'): number {
  const shares = new ReaderShares(settings);
  for (let count = 0; ; count += 1) {
    try {
      shares.take(owner(id), new ServerResponse(new IncomingMessage(new Socket())));
    } catch (error) {
      expect(error).toBeInstanceOf(HttpError);
      return count;
    }
  }
}

it.each([
  [2_000, 500, 500],
  [2_000, 10, 10],
  [40, 500, 10],
  [6, 500, 1],
  [1, 500, 1],
])('of %i places one token that may have %i gets %i', (places, most, share) => {
  expect(admitted({ STREAM_MAX_READERS: places, STREAM_MAX_READERS_PER_TOKEN: most })).toBe(share);
});

it('counts each token for itself, and no longer once its response has closed', () => {
  const shares = new ReaderShares({ STREAM_MAX_READERS: 4, STREAM_MAX_READERS_PER_TOKEN: 500 });
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  shares.take(owner('one'), response);
  shares.take(owner('other'), new ServerResponse(new IncomingMessage(new Socket())));
  const again = () => shares.take(owner('one'), new ServerResponse(new IncomingMessage(new Socket())));
  expect(again).toThrow(HttpError);
  response.emit('close');
  expect(again).not.toThrow();
});
