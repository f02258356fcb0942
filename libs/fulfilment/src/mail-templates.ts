import type { MAIL_KINDS } from './mail.contract.js';
import type { RenderedMail } from '#mail/mail-page';
import { htmlOf } from '#mail/mail-html';
import { unlinked } from '#mail/unlinked';

/** What a mail is about. Texts for the buyer, already in the words of the locale. */
export type MailFacts = Readonly<{
  order_id: string;
  reference: string;
  first_name: string;
  event: string;
  /** In the venue's own time. */
  date: string;
  venue: string;
  seats: string;
  tickets: string;
  total: string;
  /** What was given back. Empty in other mails. */
  refund: string;
  /** The last digits of the card that gets it. Empty in other mails, and without a card. */
  card: string;
  /** Where the tickets were transferred. Empty in other mails. */
  source: string;
  /** What the source calls the transfer. Empty in other mails, and without one. */
  number: string;
  /** A line for each file, with its link, the links that claim transferred tickets, or where the buyer chooses. Empty without any. */
  links: string;
  links_expire: string;
  /** By when the buyer of a postponed show may choose. Empty in other mails. */
  choose_by: string;
}>;

export type MailKind = (typeof MAIL_KINDS)[number];

/** `{{name}}` stands for a fact. A line whose facts are all empty is left out. */
export type MailTemplate = Readonly<{ subject: string; text: string; lang?: string }>;

export const BUILT_IN_TEMPLATES: Readonly<Record<MailKind, MailTemplate>> = {
  confirmation: {
    subject: 'Your order for {{event}} is confirmed',
    text: `Hello {{first_name}},

your order is confirmed.

{{event}}
{{date}}
{{venue}}
{{seats}}
{{tickets}}, {{total}}

Your order number is {{order_id}}.
Your reference is {{reference}}.

You will hear from us again when your tickets are on their way.`,
  },
  tickets: {
    subject: 'Your tickets for {{event}}',
    text: `Hello {{first_name}},

here are your tickets.

{{event}}
{{date}}
{{venue}}
{{seats}}

{{links}}

The links open until {{links_expire}}. Whoever has them can open the tickets, so keep them to yourself.

Your order number is {{order_id}}.`,
  },
  refund: {
    subject: 'Your refund for {{event}}',
    text: `Hello {{first_name}},

we have given you {{refund}} back.
It goes to your card ending in {{card}}.
Your bank may need some days to show it.

{{event}}
{{date}}
{{venue}}

Your order number is {{order_id}}.
Your reference is {{reference}}.`,
  },
  transfer: {
    subject: 'Accept your tickets for {{event}}',
    text: `Hello {{first_name}},

your tickets wait for you at {{source}}. Please accept them there.

Accept your tickets: {{links}}
The number of the transfer is {{number}}.

{{event}}
{{date}}
{{venue}}
{{seats}}

Your order number is {{order_id}}.
Your reference is {{reference}}.`,
  },
  choice: {
    subject: 'Postponed: {{event}}',
    text: `Hello {{first_name}},

{{event}} was postponed.
The new date is {{date}}.
{{venue}}
{{seats}}
{{tickets}}

Your tickets stay good. If you would rather have your money back, tell us by {{choose_by}}.

Keep them or get your money back: {{links}}

If you do nothing, you keep your tickets. Whoever has the link can choose for you, so keep it to yourself.

Your order number is {{order_id}}.
Your reference is {{reference}}.`,
  },
};

const PLACEHOLDER = /\{\{(\w+)\}\}/g;

/** Names of facts that do not exist, for somebody who writes a template. */
export function unknownFacts({ subject, text }: MailTemplate): string[] {
  const used = [...`${subject}\n${text}`.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  return [...new Set(used)].filter((name) => !FACTS.includes(name));
}

const FACTS: readonly string[] = [
  'order_id',
  'reference',
  'first_name',
  'event',
  'date',
  'venue',
  'seats',
  'tickets',
  'total',
  'refund',
  'card',
  'source',
  'number',
  'links',
  'links_expire',
  'choose_by',
] satisfies readonly (keyof MailFacts)[];

export function renderedMail({ subject, text, ...template }: MailTemplate, facts: MailFacts): RenderedMail {
  const filled = text
    .split('\n')
    .filter((line) => !isEmptyOf(line, facts))
    .map((line) => fill(line, facts))
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replaceAll(/ ,/g, ',')
    .trim();
  // A subject is one line, whatever the facts are.
  const heading = fill(subject, facts).replaceAll(/\s+/g, ' ').trim();
  return { ...template, subject: heading, text: `${filled}\n`, html: htmlOf(filled) };
}

function isEmptyOf(line: string, facts: MailFacts): boolean {
  const names = [...line.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  return names.length > 0 && names.every((name) => valueOf(facts, name) === '') && !line.startsWith('Hello');
}

function fill(text: string, facts: MailFacts): string {
  return text.replaceAll(PLACEHOLDER, (_, name: string) => valueOf(facts, name));
}

/** Sellers and buyers wrote the facts. Only the links are ours. */
function valueOf(facts: MailFacts, name: string): string {
  const value = (facts as Readonly<Record<string, string>>)[name] ?? '';
  return name === 'links' ? value : unlinked(value);
}
