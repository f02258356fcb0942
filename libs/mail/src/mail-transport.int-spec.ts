import { rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { parseSettings } from '#base/load-settings';
import { FolderObjectStore } from '#platform/storage/folder-object-store';
import { startSmtpDouble } from '../../../test/support/smtp-double.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { MailRefused, MailTransport } from './mail-transport.js';

const folder = temporaryFolder('mail-tls');
afterAll(() => rmSync(folder, { recursive: true }));

const MAIL = { id: 'mai_1', to: 'ada@example.com', subject: 's', text: 't', html: 'h' };

async function sent(tls: boolean, required: string) {
  const server = await startSmtpDouble({ tls });
  const settings = parseSettings({ SMTP_URL: server.url, SMTP_REQUIRE_TLS: required });
  const error = await new MailTransport(settings, new FolderObjectStore(folder)).send(MAIL).catch((thrown) => thrown);
  await server.close();
  return { accepted: server.accepted.length, error };
}

describe('with SMTP_REQUIRE_TLS', () => {
  it('nothing is sent without TLS, and it is tried again', async () => {
    const { accepted, error } = await sent(false, 'true');
    expect(accepted).toBe(0);
    expect(error).not.toBeInstanceOf(MailRefused);
    expect((error as Error).message).toContain('SMTP_REQUIRE_TLS');
  });

  it('nothing is sent to a server whose certificate nobody vouches for', async () => {
    const { accepted, error } = await sent(true, 'true');
    expect(accepted).toBe(0);
    expect((error as Error).message).toContain('could not be sent');
  });

  it('the address of the server cannot switch it off', async () => {
    const server = await startSmtpDouble();
    const SMTP_URL = `${server.url}/?requireTLS=false&ignoreTLS=true&tls.rejectUnauthorized=false`;
    const settings = parseSettings({ SMTP_URL, SMTP_REQUIRE_TLS: 'true' });
    await expect(new MailTransport(settings, new FolderObjectStore(folder)).send(MAIL)).rejects.toThrow('TLS');
    await server.close();
    expect(server.accepted).toEqual([]);
  });
});

it('is wanted by default of every server but one on the same machine', async () => {
  expect((await sent(false, '')).accepted).toBe(1);
  const requires = (SMTP_URL: string) => parseSettings({ SMTP_URL }).SMTP_REQUIRE_TLS;
  expect(['localhost', '127.0.0.1:25', '[::1]:25'].map((host) => requires(`smtp://${host}`))).toEqual([
    false,
    false,
    false,
  ]);
  expect(['mail.example', '127.0.0.1.mail.example', '10.0.0.1'].map((host) => requires(`smtp://${host}`))).toEqual([
    true,
    true,
    true,
  ]);
});
