import { request } from 'node:http';
import { deflateRawSync } from 'node:zlib';
import type { TicketLink, TicketList } from '#fulfilment/ticket.contract';
import type { TestApi } from '../api.js';
import { PUBLIC_URL } from '../api-environment.js';
import { STAFF_TOKEN } from '../callers.js';

export const PDF = Buffer.from(`%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n`);
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
export const SCRIPTED_PDF = Buffer.from(
  PDF.toString().replace('/Catalog', '/Catalog /OpenAction << /S /JavaScript /JS (app.alert(1)) >>'),
);
/** The start of a picture of 8 × 8: the segment JFIF, and the frame. */
export const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b080008000801011100ffd9', 'hex');

const MB = 1024 * 1024;

type ZipEntry = Readonly<{
  name: string;
  content: Buffer;
  /** What the archive says, where it lies. */
  statedBytes?: number;
}>;

/** A ZIP archive of these files, made by hand so that it can lie. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, content, statedBytes = content.length } of entries) {
    const packed = deflateRawSync(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(statedBytes, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, rest, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end]);
}

export const PASS_FILES: readonly ZipEntry[] = ['pass.json', 'manifest.json', 'signature'].map((name) => {
  return { name, content: Buffer.from(`{"of":"${name}"}`) };
});
export const PKPASS = zipOf(PASS_FILES);

export type Upload = Readonly<{
  name: string;
  content: Buffer;
  type?: string;
  barcode?: string;
  seat?: string;
}>;

const TYPES: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  pkpass: 'application/vnd.apple.pkpass',
};

export function formOf(uploads: readonly Upload[]): FormData {
  const form = new FormData();
  for (const { name, content, type = TYPES[name.split('.').at(-1) ?? ''] ?? '', barcode, seat } of uploads) {
    form.append('file', new Blob([new Uint8Array(content)], { type }), name);
    if (barcode !== undefined) form.append('barcode', barcode);
    if (seat !== undefined) form.append('seat', seat);
  }
  return form;
}

/** Sends the form as the administrator's program. */
export function postTickets({ url }: Pick<TestApi, 'url'>, orderId: string, form: FormData): Promise<Response> {
  const headers = { authorization: `Bearer ${STAFF_TOKEN}` };
  return fetch(`${url}/backoffice/v1/orders/${orderId}/tickets`, { method: 'POST', headers, body: form });
}

/** Throws if they are not accepted. */
export async function attachTickets(
  api: Pick<TestApi, 'url'>,
  orderId: string,
  uploads: readonly Upload[],
): Promise<TicketList> {
  const answer = await postTickets(api, orderId, formOf(uploads));
  if (answer.status !== 201) throw new Error(`The tickets were answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as TicketList;
}

/** The address of a new link at the api itself. Throws if none is made. */
export async function linkToTicket(
  { url, staff }: Pick<TestApi, 'url' | 'staff'>,
  orderId: string,
  ticketId: string | undefined,
  minutes = 60,
): Promise<string> {
  const answer = await staff.send('POST', `orders/${orderId}/tickets/${ticketId}/link`, {
    expires_in_minutes: minutes,
  });
  const { url: link = '' } = answer.body as Partial<TicketLink>;
  if (!link.startsWith(`${PUBLIC_URL}/tickets/`))
    throw new Error(`The link was answered ${answer.status}: ${answer.text}`);
  return url + link.slice(PUBLIC_URL.length);
}

/** 200 MB of a PDF, made while they are sent. */
export function sendLargeTicket(
  { url }: Pick<TestApi, 'url'>,
  orderId: string,
  saysSo: boolean,
  token = STAFF_TOKEN,
): Promise<number | undefined> {
  const boundary = 'b0undary';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF-`;
  const tail = `\r\n--${boundary}--\r\n`;
  const chunk = Buffer.alloc(MB, 'x');
  const bytes = head.length + 200 * MB + tail.length;
  return new Promise((resolve, reject) => {
    const upload = request(
      `${url}/backoffice/v1/orders/${orderId}/tickets`,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': `multipart/form-data; boundary=${boundary}`,
          ...(saysSo && { 'content-length': bytes }),
        },
      },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      },
    );
    upload.on('error', reject);
    upload.write(head);
    let sent = 0;
    const more = () => {
      while (sent < 200) {
        sent += 1;
        if (!upload.write(chunk)) return void upload.once('drain', more);
      }
      upload.end(tail);
    };
    more();
  });
}
