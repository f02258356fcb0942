import { rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { parseSettings } from '#base/load-settings';
import { FolderObjectStore } from '#platform/storage/folder-object-store';
import { decodedMail } from '../../../test/support/decoded-mail.js';
import { mailFileKey, MailTransport } from './mail-transport.js';

const folder = temporaryFolder('mail');
afterAll(() => rmSync(folder, { recursive: true }));

it('writes a file for each mail where there is no mail server', async () => {
  const files = new FolderObjectStore(folder);
  const settings = { MAIL_FROM: 'Front Row <box@Front-Row.example>', MAIL_POSTAL_ADDRESS: '1 Main St, Albany' };
  const transport = new MailTransport(parseSettings({ PUBLIC_URL: 'https://tickets.example', ...settings }), files);
  const mail = { id: 'mai_1', to: 'ada@example.com', subject: 'Tickets <2>', text: 'Hello\n', html: '<p>Hello</p>' };
  await transport.send({ ...mail, lang: 'de-AT' });
  const written = await text(await files.read(mailFileKey('mai_1')));
  expect(written).toMatch(/^To: ada@example\.com\r\n/m);
  expect(written).toMatch(/^Message-ID: <mai_1@front-row\.example>\r\n/m);
  expect(written).toMatch(/^Subject: Tickets <2>\r\n/m);
  const { text: plain, html } = decodedMail(written);
  expect(plain.trim()).toBe('Hello\n\n-- \nFront Row\nbox@Front-Row.example\n1 Main St, Albany');
  expect(html).toMatch(/^<!doctype html><html lang="de-AT">.*<title>Tickets &lt;2&gt;<\/title>.*<p>Hello<\/p>/s);
  expect(html).toContain('Front Row<br>box@Front-Row.example<br>1 Main St, Albany</p>');
});

it('takes the address as one address, whatever it contains', async () => {
  const files = new FolderObjectStore(folder);
  const transport = new MailTransport(parseSettings({}), files);
  const to = 'ada@example.com, eve@example.com\r\nBcc: mallory@example.com';
  await transport.send({ id: 'mai_2', to, subject: 's', text: 't', html: 'h' }).catch(() => undefined);
  const written = await files.read(mailFileKey('mai_2')).then(text, () => '');
  expect(written).not.toMatch(/^Bcc:/m);
});

it('says how to unsubscribe, by one click only where the address is HTTPS', async () => {
  const files = new FolderObjectStore(folder);
  const transport = new MailTransport(parseSettings({}), files);
  const headers = async (id: string, unsubscribe?: string) => {
    const mail = { id, to: 'ada@example.com', subject: 's', text: 't', html: 'h' };
    await transport.send({ ...mail, ...(unsubscribe !== undefined && { unsubscribe }) });
    const written = await text(await files.read(mailFileKey(id)));
    return written.replaceAll(/\r\n[ \t]+/g, ' ').match(/^List-.*$/gm);
  };
  // Longer than a line, and still in one piece.
  const address = `https://tickets.example/unsubscribe/opr_1/daily?signature=${'A'.repeat(100)}`;
  expect(await headers('rep_1', address)).toEqual([
    `List-Unsubscribe: <${address}>`,
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
  ]);
  expect(await headers('rep_2', 'http://127.0.0.1/u')).toEqual(['List-Unsubscribe: <http://127.0.0.1/u>']);
  expect(await headers('mai_3')).toBeNull();
});
