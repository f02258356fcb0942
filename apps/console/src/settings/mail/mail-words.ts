export const mailWords = {
  title: 'E-mail',
  hint: 'The e-mails to buyers as they go out, with invented data. MAIL_FROM and MAIL_POSTAL_ADDRESS say who sends them, MAIL_TEMPLATES_FILE has words of your own.',
  which: 'E-mail',
  width: 'Width',
  kinds: { confirmation: 'Confirmation', tickets: 'Tickets', refund: 'Refund', transfer: 'Transfer', choice: 'Choice' },
  widths: { wide: 'Wide', narrow: 'Narrow' },
  subject: 'Subject',
  plain: 'Plain text',
  frame: (name: string) => `Preview: ${name}`,
} as const;
