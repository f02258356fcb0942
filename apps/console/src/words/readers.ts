/** Who reads what somebody writes in a box, as the server has it. It stands beside the box. */
export const readers = {
  staff: 'Only staff read it.',
  /** Of a change: brokers read what they wrote themselves. */
  staffAndAuthor: 'Only staff and its author read it.',
  sellerAndStaff: 'The seller’s brokers and staff read it.',
  platform: 'The platform sees it.',
  buyerByMail: 'The buyer gets it by e-mail.',
  shoppers: 'Whoever looks at the listing reads it.',
  audit: 'Staff read it in the timeline and the audit log.',
} as const;
