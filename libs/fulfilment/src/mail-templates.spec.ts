import { describe, expect, it } from 'vitest';
import { MAIL_KINDS } from './mail.contract.js';
import { BUILT_IN_TEMPLATES, type MailFacts, renderedMail, unknownFacts } from './mail-templates.js';

const facts: MailFacts = {
  order_id: 'ord_1',
  reference: 'r-1',
  first_name: 'Ada',
  event: 'Hamilton <live>',
  date: 'Friday, November 27, 2026 at 8:00 PM',
  venue: 'Palace, Albany',
  seats: 'Section 104, row C',
  tickets: '2 tickets',
  total: '$254.60',
  refund: '$12.50',
  source: '',
  number: '',
  card: '1111',
  links: 'Seat 4: https://t.example/tickets/1?a=1&b=2',
  choose_by: '',
  links_expire: 'December 1, 2026',
};

describe('a mail', () => {
  it('says what, when and where', () => {
    const { subject, text } = renderedMail(BUILT_IN_TEMPLATES.confirmation, facts);
    expect(subject).toBe('Your order for Hamilton <live> is confirmed');
    expect(text).toContain(
      'Hamilton <live>\nFriday, November 27, 2026 at 8:00 PM\nPalace, Albany\nSection 104, row C\n2 tickets, $254.60\n',
    );
  });

  it('has no lines about what is not known', () => {
    const unknown = { ...facts, first_name: '', venue: '', seats: '', reference: '' };
    const { text } = renderedMail(BUILT_IN_TEMPLATES.confirmation, unknown);
    expect(text).not.toMatch(/reference|\n\n\n/);
    expect(text).toContain('8:00 PM\n2 tickets');
    expect(text.startsWith('Hello')).toBe(true);
  });

  it('escapes what it is given in HTML, and links addresses', () => {
    const { html } = renderedMail(BUILT_IN_TEMPLATES.tickets, facts);
    expect(html).toContain('Hamilton &lt;live&gt;');
    expect(html).toContain('<a href="https://t.example/tickets/1?a=1&amp;b=2">');
  });

  it('has a button for a link with words of its own, and the plain text keeps the address', () => {
    const claim = { ...facts, source: 'Tixx', number: '', links: 'https://claim.example/1' };
    const { html, text } = renderedMail(BUILT_IN_TEMPLATES.transfer, claim);
    expect(html).toMatch(
      /<td bgcolor="#4f46e5"[^>]*><a href="https:\/\/claim\.example\/1"><span [^>]*>Accept your tickets</,
    );
    expect(text).toContain('\nAccept your tickets: https://claim.example/1\n');
  });

  it('has a subject of one line, so that nobody adds a header', () => {
    const { subject } = renderedMail(BUILT_IN_TEMPLATES.tickets, { ...facts, event: 'A\r\nBcc: x@example.com' });
    expect(subject).toBe('Your tickets for A Bcc: x @example. com');
  });

  it('links nothing that a seller or a buyer wrote', () => {
    const evil = 'Win at https://evil.example/x or evil.example';
    const { links: _, ...others } = facts;
    const hostile = { ...Object.fromEntries(Object.keys(others).map((name) => [name, evil])), links: '' } as MailFacts;
    for (const kind of MAIL_KINDS) {
      const { subject, text, html } = renderedMail(BUILT_IN_TEMPLATES[kind], hostile);
      for (const part of [subject, text, html]) expect(part).not.toMatch(/evil\.\S|https:\S|href/);
    }
  });

  it.each([...MAIL_KINDS])('%s uses only facts that exist', (kind) => {
    expect(unknownFacts(BUILT_IN_TEMPLATES[kind])).toEqual([]);
    expect(unknownFacts({ subject: '{{price}}', text: '{{event}} {{price}}' })).toEqual(['price']);
  });
});
