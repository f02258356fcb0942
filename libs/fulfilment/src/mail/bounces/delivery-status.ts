import { Dicer } from '@fastify/busboy';

/** A mail that a mail server could not deliver. `messageId` is undefined if it returned no part of it. `status` is the code of RFC 3463. */
export type FailedMail = Readonly<{ messageId: string | undefined; status: string | undefined }>;

type Headers = Readonly<Record<string, readonly string[] | undefined>>;

const RETURNED = ['message/rfc822', 'text/rfc822-headers', 'message/global', 'message/global-headers'];
const MOST_HEADERS = 200;

/**
 * What a delivery status notification (RFC 3464) says about a mail. Undefined if it is none, or says that the mail was delivered or is still
 * tried. Only the report and the returned headers count, not what somebody wrote above them.
 * @param message its beginning suffices: the parts that count come before the returned text
 */
export async function failedMail(message: Buffer): Promise<FailedMail | undefined> {
  const parts = await partsOf(message);
  const report = parts.find(
    ({ type }) => type === 'message/delivery-status' || type === 'message/global-delivery-status',
  );
  const returned = parts.find(({ type }) => RETURNED.includes(type));
  const failed = report && failedRecipient(report.text);
  const messageId = returned && fieldsOf(headOf(returned.text)).get('message-id');
  return failed && { messageId, status: failed.status };
}

const CAME_TO = ['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to', 'to'];
const LONGEST_HEAD = 64 * 1024;

/** The addresses that a message came to, as the servers on its way wrote them down. */
export function recipientsOf(message: Buffer): string[] {
  const text = message.toString('latin1', 0, LONGEST_HEAD).replaceAll(/\r?\n/g, '\r\n');
  const fields = fieldsOf(headOf(text));
  return CAME_TO.flatMap((name) => fields.get(name)?.match(/[^\s<>,;:"()]{1,64}@[\w.-]{1,189}/g) ?? []);
}

type Part = { readonly type: string; text: string };

/** The parts of a `multipart/report` of delivery statuses; of anything else none. */
function partsOf(message: Buffer): Promise<Part[]> {
  // A mailbox has the line ends of its machine.
  const text = message.toString('latin1').replaceAll(/\r?\n/g, '\r\n');
  const boundary = boundaryOf(fieldsOf(headOf(text)).get('content-type') ?? '');
  if (boundary === undefined) return Promise.resolve([]);
  const parts: Part[] = [];
  const reader = new Dicer({ boundary, maxHeaderPairs: MOST_HEADERS });
  reader.on('part', (stream) => {
    let part: Part | undefined;
    // The parser emits it like this, but its types know no such event.
    (stream as NodeJS.EventEmitter).on('header', (headers: Headers) => {
      const type = (headers['content-type']?.[0] ?? 'text/plain').split(';')[0]?.trim().toLowerCase() ?? '';
      parts.push((part = { type, text: '' }));
    });
    stream.on('data', (bytes: Buffer) => part && (part.text += bytes.toString('latin1')));
    // A message that was cut off has no end.
    stream.on('error', () => undefined);
  });
  return new Promise((resolve) => {
    reader.on('finish', () => resolve(parts));
    reader.on('error', () => resolve(parts));
    reader.end(Buffer.from(text, 'latin1'));
  });
}

function boundaryOf(contentType: string): string | undefined {
  const isReport = /^multipart\/report\s*;/i.test(contentType);
  const isOfDelivery = /;\s*report-type\s*=\s*"?(?:global-)?delivery-status"?\s*(?:;|$)/i.test(contentType);
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  return isReport && isOfDelivery ? (quoted ?? plain) : undefined;
}

/** The first recipient whose mail failed for good. Our mails have one. */
function failedRecipient(report: string): Readonly<{ status: string | undefined }> | undefined {
  // The first block is about the report itself, but some servers (AOL, SurfControl) write all fields into it.
  for (const block of report.split(/\r\n[ \t]*\r\n/)) {
    const fields = fieldsOf(block);
    const status = /^\d\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0];
    const isFailed = fields.get('action')?.toLowerCase() === 'failed';
    // 4.4.7 is a server that gave up. 2.x.x would be a success, whatever the action says.
    if (isFailed && !status?.startsWith('2')) return { status };
  }
  return undefined;
}

const headOf = (text: string): string => text.split('\r\n\r\n', 1)[0] ?? '';

/** The fields of a block of headers, unfolded, with their names in lower case. Of several with one name the first. */
function fieldsOf(block: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of block.replaceAll(/\r\n[\t ]+/g, ' ').split('\r\n', MOST_HEADERS)) {
    const [, name = '', value = ''] = /^([\w-]{1,100}):(.*)$/.exec(line) ?? [];
    if (name !== '' && !fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value.trim());
  }
  return fields;
}
