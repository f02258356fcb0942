import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { Settings } from '#base/settings';
import { ObjectStore } from '#platform/object-store';
import { type RenderedMail, senderHost, signedMail } from './mail-page.js';

export type OutgoingMail = RenderedMail &
  Readonly<{
    id: string;
    to: string;
    /** The address that ends the subscription which this mail is part of. */
    unsubscribe?: string;
    /** The envelope sender, to which reports come back. Undefined for that of MAIL_FROM. */
    returnPath?: string | undefined;
  }>;

/** The mail server will never take this mail. `reply` is its code, without the text, which may repeat the address. */
export class MailRefused extends Error {
  constructor(readonly reply: string) {
    super(`the mail server refused the mail: ${reply}`);
    this.name = 'MailRefused';
  }
}

export const mailFileKey = (id: string) => `mail/${id}.eml`;

/** Nobody else sends a mail for this long. Longer than one try may take. */
export const MAIL_LEASE_MS = 120_000;
const TIMEOUT_MS = 20_000;
const NO_TLS = 'the mail server has no TLS with a valid certificate, as SMTP_REQUIRE_TLS wants it';

/** Sends by SMTP, or without SMTP_URL writes a file for each mail beside the files of tickets. */
@Injectable()
export class MailTransport {
  /** Each answer has its own limit; this one is over the whole of a try, however slowly a server answers. */
  protected readonly withinMs: number = MAIL_LEASE_MS / 2;
  private readonly smtp;
  private readonly composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

  constructor(
    private readonly settings: Settings,
    private readonly objects: ObjectStore,
  ) {
    const { SMTP_URL: url } = settings;
    this.smtp =
      url === undefined
        ? undefined
        : createTransport({
            url: settings.SMTP_REQUIRE_TLS ? withoutChoiceOfTls(url) : url,
            ...(settings.SMTP_REQUIRE_TLS && { requireTLS: true, tls: { rejectUnauthorized: true } }),
            connectionTimeout: TIMEOUT_MS,
            greetingTimeout: TIMEOUT_MS,
            socketTimeout: TIMEOUT_MS,
            // What was given up must not go out behind our back.
            socketCloseTimeout: 0,
            // Neither files nor addresses of the web may come into a mail.
            disableFileAccess: true,
            disableUrlAccess: true,
          });
  }

  /** Resolves when the server has accepted the mail. @throws MailRefused; other errors are worth another try */
  async send({ id, to, unsubscribe, returnPath, ...written }: OutgoingMail): Promise<void> {
    const mail = {
      from: this.settings.MAIL_FROM,
      to: { name: '', address: to },
      ...signedMail(written, this.settings),
      ...(returnPath !== undefined && { envelope: { from: returnPath, to } }),
      // The same for each try, so that a receiver can drop a second copy.
      messageId: `<${id}@${senderHost(this.settings)}>`,
      headers: { 'Auto-Submitted': 'auto-generated', ...(unsubscribe !== undefined && unsubscribing(unsubscribe)) },
    };
    if (this.smtp) return await this.bySmtp(this.smtp, mail);
    const { message } = await this.composer.sendMail(mail);
    const bytes = message as Buffer;
    await this.objects.put(mailFileKey(id), Readable.from([bytes]), bytes.length);
  }

  private async bySmtp(smtp: NonNullable<typeof this.smtp>, mail: object): Promise<void> {
    const signal = AbortSignal.timeout(this.withinMs);
    try {
      await smtp.sendMail({ ...mail, signal });
    } catch (error) {
      if (signal.aborted) throw new Error(`the mail could not be sent: not taken within ${this.withinMs / 1_000} s`);
      const { responseCode: code, response = '' } = error as { responseCode?: number; response?: string };
      const { code: reason } = error as { code?: string };
      // The answer to STARTTLS says nothing about the mail.
      if (reason === 'ETLS') throw new Error(`the mail could not be sent: ${NO_TLS}`);
      const isFinal = code !== undefined && code >= 500 && code < 600;
      const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})/.exec(response)?.[1];
      if (isFinal) throw new MailRefused(enhanced === undefined ? String(code) : `${code} ${enhanced}`);
      throw new Error(`the mail could not be sent: ${code ?? reason ?? 'no answer'}`);
    }
  }
}

/** The query of an address wins over the options. */
function withoutChoiceOfTls(address: string): string {
  const url = new URL(address);
  const names = Array.from(url.searchParams.keys());
  const isChoice = (name: string) => /^(?:requireTLS|ignoreTLS|opportunisticTLS|tls\.rejectUnauthorized)$/.test(name);
  for (const name of names.filter(isChoice)) url.searchParams.delete(name);
  return url.href;
}

/** RFC 2369. The button of a mail program, which sends a POST by itself (RFC 8058), needs HTTPS. */
function unsubscribing(address: string): Readonly<Record<string, string>> {
  const list = { 'List-Unsubscribe': `<${address}>` };
  return address.startsWith('https:') ? { ...list, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : list;
}
