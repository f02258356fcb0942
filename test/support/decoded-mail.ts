/** A mail as its reader sees it. */
export type DecodedMail = Readonly<{
  to: string;
  subject: string;
  messageId: string;
  text: string;
  html: string;
  /** An empty text without the header. */
  unsubscribe: string;
  unsubscribePost: string;
}>;

/** Decodes a message with a part of text and one of HTML, as the mail server got it. */
export function decodedMail(raw: string): DecodedMail {
  const message = raw.replaceAll('\r\n', '\n');
  const head = unfolded(message.split('\n\n', 1)[0] ?? '');
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? '';
  const boundary = /boundary="([^"]+)"/i.exec(head)?.[1] ?? '';
  const parts = message.split(`--${boundary}`).map((part) => part.trimStart());
  const part = (type: string) => partText(parts.find((one) => one.startsWith(`Content-Type: text/${type}`)) ?? '');
  return {
    to: field('To'),
    subject: field('Subject'),
    messageId: field('Message-ID'),
    text: part('plain'),
    html: part('html'),
    unsubscribe: /^<(.*)>$/.exec(field('List-Unsubscribe'))?.[1] ?? '',
    unsubscribePost: field('List-Unsubscribe-Post'),
  };
}

function partText(part: string): string {
  const end = part.indexOf('\n\n');
  const [head, body] = [unfolded(part.slice(0, end)), part.slice(end + 2)];
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString();
  if (/quoted-printable/i.test(head)) {
    const bytes = body
      .replaceAll('=\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
    return Buffer.from(bytes, 'latin1').toString();
  }
  // RFC 3676: a line that ends with a space goes on, and one that begins with a space got another.
  return /format=flowed/i.test(head) ? body.replaceAll(' \n', ' ').replaceAll(/^ /gm, '') : body;
}

const unfolded = (head: string): string => head.replaceAll(/\n[\t ]+/g, ' ');
