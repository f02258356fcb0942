import { expect, it } from 'vitest';
import { adviceFor, READ_ONLY, UnusableDatabase } from './unusable-database.js';

const URL = 'postgres://shop:secret@db.example/tickets';
const error = (code: string, message = '') => Object.assign(new Error(message), { code });

it.each([
  [
    '3D000',
    'The server has no database "tickets": create it (create database "tickets" owner "shop"), or correct DATABASE_URL.',
  ],
  ['28P01', 'The server rejects the login of "shop" (no): create the role with its password, or correct DATABASE_URL.'],
  ['28000', 'The server rejects the login of "shop" (no): create the role with its password, or correct DATABASE_URL.'],
  ['25006', READ_ONLY],
])('%s is explained in one sentence that says what to do', (code, sentence) => {
  expect(adviceFor(error(code, 'no'), URL)).toBe(sentence);
});

it('a missing right names the role that lacks it', () => {
  const denied = error('42501', 'permission denied for schema public');
  expect(adviceFor(denied, URL)).toMatch(
    /^"shop" lacks a right \(permission denied for schema public\): let an administrator run: grant willcall_app to "shop"/,
  );
  expect(adviceFor(denied, URL, 'MIGRATION_DATABASE_URL')).toMatch(/^"shop" lacks a right .*: make it the owner/);
});

it('the setting that the address is from is named', () => {
  expect(adviceFor(error('3D000'), URL, 'MIGRATION_DATABASE_URL')).toMatch(/or correct MIGRATION_DATABASE_URL\.$/);
});

it('a table that a standby cannot read reveals the standby', () => {
  expect(adviceFor(error('0A000', 'cannot access temporary or unlogged relations during recovery'))).toBe(READ_ONLY);
  expect(adviceFor(error('0A000', 'something else'))).toBeUndefined();
});

it('our own errors keep their sentence, and other errors have none', () => {
  expect(adviceFor(new UnusableDatabase('too old'))).toBe('too old');
  expect(adviceFor(error('23505'), URL)).toBeUndefined();
  expect(adviceFor(undefined)).toBeUndefined();
});

it('never shows the password', () => {
  for (const code of ['3D000', '28P01', '28000', '42501', '25006'])
    expect(adviceFor(error(code), URL)).not.toContain('secret');
});
