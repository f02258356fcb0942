import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerAddress } from 'smtp-server';

export type SmtpDouble = Readonly<{
  url: string;
  /** The raw messages that it has accepted, oldest first. */
  accepted: string[];
  /** The envelope senders of these messages. */
  senders: string[];
  /** What it answers to the next recipients instead of accepting them: a code and a text. */
  refusals: [code: number, text: string][];
  /** Addresses that it has no mailbox for. */
  unknown: Set<string>;
  /** Before the next test. */
  forget(): void;
  close(): Promise<void>;
}>;

/** A mail server that keeps what it gets. With `tls` it offers STARTTLS, with a certificate that nobody knows. */
export async function startSmtpDouble({ tls = false }: Readonly<{ tls?: boolean }> = {}): Promise<SmtpDouble> {
  const accepted: string[] = [];
  const senders: string[] = [];
  const refusals: [number, string][] = [];
  const unknown = new Set<string>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: tls ? [] : ['STARTTLS'],
    onRcptTo(address: SMTPServerAddress, _session, done) {
      const refusal = unknown.has(address.address) ? ([550, 'No such mailbox'] as const) : refusals.shift();
      if (!refusal) return done();
      // Servers repeat the address in their answers.
      const [responseCode, text] = refusal;
      done(Object.assign(new Error(`${text} <${address.address}>`), { responseCode }));
    },
    onData(stream, session, done) {
      let text = '';
      stream.setEncoding('utf8').on('data', (part: string) => (text += part));
      stream.on('end', () => {
        accepted.push(text);
        senders.push(session.envelope.mailFrom ? session.envelope.mailFrom.address : '');
        done();
      });
    },
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    accepted,
    senders,
    refusals,
    unknown,
    forget() {
      accepted.length = 0;
      senders.length = 0;
      refusals.length = 0;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
