import { describe, expect, it, vi } from 'vitest';
import { databaseAddresses } from '#base/database-address';
import { type Primary, PrimaryFinder } from './primary-finder.js';

const ADDRESSES = databaseAddresses('postgres://shop@db1:5432,db2:5432,db3:5432/willcall');

const primary = (host: string, timeline = 1): Primary => ({ host, port: 5432, timeline });

/** Each server answers with a timeline, an error, or not at all. */
function finderOf(answers: Readonly<Record<string, number | Error>>) {
  const ask = vi.fn(({ hostname }: URL): Promise<Primary> => {
    const answer = answers[hostname];
    if (answer instanceof Error) return Promise.reject(answer);
    return answer === undefined ? new Promise(() => undefined) : Promise.resolve(primary(hostname, answer));
  });
  return { finder: new PrimaryFinder(ADDRESSES, ask), ask };
}

describe('The search for a primary', () => {
  it('does not wait for a server that does not answer, and is made once for all', async () => {
    const { finder, ask } = finderOf({ db2: new Error('is a standby'), db3: 1 });
    expect(await Promise.all([finder.find(), finder.find()])).toEqual([primary('db3'), primary('db3')]);
    await finder.find();
    expect(ask).toHaveBeenCalledTimes(3);
  });

  it('prefers the one that was promoted last, because the other is an old primary that still runs', async () => {
    const { finder } = finderOf({ db1: 1, db2: 2, db3: 1 });
    expect(await finder.find()).toEqual(primary('db2', 2));
  });

  it('is made again only if the primary that was found last is no longer one', async () => {
    const { finder, ask } = finderOf({ db1: 1, db2: new Error('is a standby'), db3: new Error('is a standby') });
    const found = await finder.find();
    finder.forget(primary('db1'));
    await finder.find();
    expect(ask).toHaveBeenCalledTimes(3);
    finder.forget(found);
    await finder.find();
    expect(ask).toHaveBeenCalledTimes(6);
  });

  it('asks standbys again while a frozen server is silent, because one of them may be promoted', async () => {
    const answers: Record<string, number | Error> = { db2: new Error('is a standby'), db3: new Error('is a standby') };
    const { finder } = finderOf(answers);
    const found = finder.find();
    answers['db3'] = 2;
    expect(await found).toEqual(primary('db3', 2));
  });

  it('without success says what each server answered, and is made again', async () => {
    const answers: Record<string, number | Error> = {
      db1: new Error('is a standby'),
      db2: new Error('connect ECONNREFUSED'),
      db3: new Error('is a standby'),
    };
    const { finder } = finderOf(answers);
    await expect(finder.find()).rejects.toThrow(
      'db1:5432: is a standby; db2:5432: connect ECONNREFUSED; db3:5432: is a standby',
    );
    answers['db3'] = 2;
    expect(await finder.find()).toEqual(primary('db3', 2));
  });
});
