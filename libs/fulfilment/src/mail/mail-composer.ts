import { readFileSync } from 'node:fs';
import { Injectable } from '@nestjs/common';
import { MAIL_KINDS } from '../mail.contract.js';
import { Settings } from '#base/settings';
import { parseForeignJson } from '#base/json';
import { type AskedMail, MailFactsReader } from './mail-facts.js';
import { BUILT_IN_TEMPLATES, type MailKind, type MailTemplate, renderedMail, unknownFacts } from '../mail-templates.js';
import type { RenderedMail } from '#mail/mail-page';
import { exampleFacts } from './example-facts.js';

export type ComposedMail = RenderedMail & Readonly<{ to: string }>;

/** Writes the mails: the templates of the settings, or else the built-in ones, with the facts of the order. */
@Injectable()
export class MailComposer {
  private readonly templates: Readonly<Record<MailKind, MailTemplate>>;

  constructor(
    private readonly facts: MailFactsReader,
    private readonly settings: Settings,
  ) {
    this.templates = templatesOf(settings);
  }

  /** `reason` says why there is nothing to send. A masked mail is to be looked at: its texts have no data of the buyer. */
  async compose(
    orderId: string,
    { kind, refundId }: AskedMail,
    { masked = false }: Readonly<{ masked?: boolean }> = {},
  ): Promise<ComposedMail | Readonly<{ reason: string }>> {
    const found = await this.facts.of(orderId, { kind, ...(refundId !== undefined && { refundId }) });
    if (!found) return { reason: 'there is no such order' };
    if (found.obstacle !== null) return { reason: found.obstacle };
    if (found.to === null) return { reason: 'the buyer has no e-mail address' };
    if (kind === 'tickets' && found.ticketFiles === 0) return { reason: 'the order has no ticket files' };
    if (kind === 'refund' && !found.hasRefund) return { reason: 'nothing was refunded' };
    if (kind === 'transfer' && found.facts.source === '') return { reason: 'no transfer waits for the buyer' };
    if (kind === 'choice' && found.facts.links === '') return { reason: 'no choice waits for the buyer' };
    return { to: found.to, ...renderedMail(this.templates[kind], masked ? found.masked : found.facts) };
  }

  /** Every mail, about an order that nobody placed. */
  samples(): Readonly<Record<MailKind, RenderedMail>> {
    const sample = (kind: MailKind) => renderedMail(this.templates[kind], exampleFacts(kind, this.settings));
    return Object.fromEntries(MAIL_KINDS.map((kind) => [kind, sample(kind)])) as Record<MailKind, RenderedMail>;
  }

  /** Whether the subject has data of the buyer. */
  isSubjectPersonal(kind: MailKind): boolean {
    return this.templates[kind].subject.includes('{{first_name}}');
  }
}

/** @throws Error naming what is wrong with the file */
function templatesOf({
  MAIL_TEMPLATES_FILE: file,
  MAIL_LOCALE: lang,
}: Settings): Readonly<Record<MailKind, MailTemplate>> {
  if (file === undefined) return BUILT_IN_TEMPLATES;
  const given = parseForeignJson(readFileSync(file, 'utf8')) as Partial<Record<string, Partial<MailTemplate>>>;
  const errors = Object.entries(given).flatMap(([kind, template]) => {
    if (!MAIL_KINDS.some((known) => known === kind)) return [`${kind} is no kind of mail (${MAIL_KINDS.join(', ')})`];
    const { subject, text } = template ?? {};
    if (typeof subject !== 'string' || typeof text !== 'string') return [`${kind} needs the texts subject and text`];
    return unknownFacts({ subject, text }).map((name) => `${kind}: {{${name}}} is unknown`);
  });
  if (errors.length > 0) throw new Error(`MAIL_TEMPLATES_FILE: ${errors.join('; ')}`);
  const own = Object.entries(given).map(([kind, template]) => [kind, { ...template, lang }]);
  return { ...BUILT_IN_TEMPLATES, ...(Object.fromEntries(own) as Partial<Record<MailKind, MailTemplate>>) };
}
