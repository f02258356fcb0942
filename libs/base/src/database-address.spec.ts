import { describe, expect, it } from 'vitest';
import { databaseAddresses, databaseLocation, readOnlyAddress } from './database-address.js';

const hrefs = (text: string) => databaseAddresses(text).map(({ href }) => href);

describe('An address of a database', () => {
  it.each([
    'postgres://shop:secret@db/willcall',
    'postgres:///willcall?host=/run/postgresql',
    'postgres://%2Frun%2Fpostgresql/willcall',
    'postgres://[::1]:5432/willcall?sslmode=verify-full',
  ])('of one server stays as it is: %s', (text) => {
    expect(hrefs(text)).toEqual([text]);
  });

  it('of several servers is one address for each', () => {
    expect(hrefs('postgres://shop:a,b@db1:5432,[::1]:5433,db3/willcall?sslmode=require')).toEqual([
      'postgres://shop:a,b@db1:5432/willcall?sslmode=require',
      'postgres://shop:a,b@[::1]:5433/willcall?sslmode=require',
      'postgres://shop:a,b@db3/willcall?sslmode=require',
    ]);
  });

  it.each(['db1,db2', 'postgres://shop@db1,,db2/willcall', 'postgres://db1:5432,db2:no/willcall', 'postgres'])(
    'is none if it is %s',
    (text) => {
      expect(hrefs(text)).toEqual([]);
    },
  );

  it('is shown without its login', () => {
    expect(databaseLocation('postgres://shop:secret@db1:5432,db2:5433/willcall?sslmode=require')).toBe(
      'db1:5432,db2:5433/willcall',
    );
  });

  it('whose sessions only read keeps its own options, and is the same the second time', () => {
    const once = readOnlyAddress('postgres://shop:a%2Fb@db1/willcall?sslmode=require&options=-c%20work_mem%3D5MB');
    const [address] = databaseAddresses(once);
    expect(address?.searchParams.get('options')).toBe('-c work_mem=5MB -c default_transaction_read_only=on');
    expect([address?.password, address?.searchParams.get('sslmode')]).toEqual(['a%2Fb', 'require']);
    expect(readOnlyAddress(once)).toBe(once);
  });
});
