/** Who does a step. `program` is the broker's own system, with an API token. */
export type SampleActor = 'staff' | 'program' | 'worker';

/** A status code of the status catalogue, or something that also changes tickets, deadline or money. */
export type SampleDeed = number | 'ship' | 'download' | 'expire';

/** `after` is the shortest and the longest time since the step before, in minutes. */
export type SampleStep = readonly [after: readonly [number, number], by: SampleActor, does: SampleDeed, note?: string];

/** What happens to some of the sample orders. */
export type SampleStory = Readonly<{
  orders: number;
  /** How many days ago the order was placed: at least and at most. */
  daysAgo: readonly [number, number];
  ships?: true;
  /** The broker has to confirm within these minutes. Without it the order is confirmed at once. */
  confirmWithin?: number;
  /** Held for a manual review. */
  held?: true;
  /** The card is declined, so the platform never sees the order. */
  declined?: true;
  steps: readonly SampleStep[];
  /** What colleagues wrote at the end. */
  notes?: readonly string[];
  tag?: string;
}>;

const HOUR = 60;
const DAY = 24 * HOUR;

const mailed: SampleStep = [[1, 4], 'program', 2001];
const accepted: SampleStep = [[3, 50], 'staff', 2000];
const downloaded: SampleStep = [[20, 9 * HOUR], 'program', 'download'];
const shipped: SampleStep = [[5 * HOUR, 30 * HOUR], 'staff', 'ship'];
const arrived: SampleStep = [[2 * DAY, 4 * DAY], 'program', 2003];

const staff = (code: number, note: string, after: readonly [number, number] = [10, 3 * HOUR]): SampleStep => {
  return [after, 'staff', code, note];
};
const refusedBy = (step: SampleStep): readonly SampleStep[] => [step];

/** Every status of the status catalogue occurs. The first stories are the most common ones. */
export const sampleStories: readonly SampleStory[] = [
  { orders: 88, daysAgo: [0.5, 35], steps: [mailed, downloaded] },
  { orders: 40, daysAgo: [0.5, 35], confirmWithin: 120, steps: [accepted, mailed, downloaded] },
  { orders: 38, daysAgo: [7, 35], ships: true, steps: [mailed, shipped, arrived] },
  { orders: 20, daysAgo: [2, 4], ships: true, steps: [mailed, shipped] },
  { orders: 12, daysAgo: [0.05, 1.2], ships: true, steps: [mailed] },
  { orders: 6, daysAgo: [0.05, 1.5], ships: true, confirmWithin: 240, steps: [accepted] },
  { orders: 9, daysAgo: [0.02, 0.4], steps: [mailed] },
  { orders: 7, daysAgo: [0.01, 0.2], steps: [] },
  { orders: 7, daysAgo: [0.01, 0.1], confirmWithin: 240, steps: [] },
  { orders: 7, daysAgo: [0.02, 0.8], confirmWithin: 1440, steps: [] },
  {
    orders: 4,
    daysAgo: [0.05, 0.9],
    held: true,
    steps: [],
    notes: ['The billing address is 900 km from the venue. Waiting for the bank.'],
    tag: 'fraud-check',
  },
  {
    orders: 3,
    daysAgo: [3, 30],
    held: true,
    steps: [staff(2000, 'The bank confirmed the buyer.'), mailed, downloaded],
  },
  { orders: 4, daysAgo: [1, 34], confirmWithin: 120, steps: refusedBy([[0.5, 2], 'program', 3001]) },
  {
    orders: 4,
    daysAgo: [1, 34],
    held: true,
    steps: refusedBy(staff(3002, 'Three cards of three owners from one address within an hour.')),
  },
  {
    orders: 4,
    daysAgo: [1, 34],
    confirmWithin: 120,
    steps: refusedBy(staff(3003, 'The seller sold these seats elsewhere an hour before.')),
  },
  { orders: 6, daysAgo: [1, 34], confirmWithin: 120, steps: refusedBy(staff(3004, 'The seller denied: price error.')) },
  { orders: 7, daysAgo: [1, 34], confirmWithin: 60, steps: refusedBy([[60.1, 60.4], 'worker', 'expire']) },
  { orders: 2, daysAgo: [2, 30], confirmWithin: 120, steps: refusedBy([[2, 5], 'program', 3006]) },
  {
    orders: 5,
    daysAgo: [6, 20],
    steps: [mailed, staff(3007, 'The promoter cancelled this night.', [1 * DAY, 3 * DAY])],
  },
  { orders: 2, daysAgo: [2, 30], confirmWithin: 120, steps: refusedBy([[1, 3], 'program', 3008]) },
  {
    orders: 3,
    daysAgo: [4, 30],
    steps: [
      mailed,
      staff(4005, 'Offered row F instead of row C.', [5 * HOUR, 20 * HOUR]),
      staff(3009, 'The customer wants row C or the money back.'),
    ],
    tag: 'replacement',
  },
  {
    orders: 8,
    daysAgo: [2, 34],
    steps: [mailed, staff(3010, 'The customer called and cannot come.', [3 * HOUR, 2 * DAY])],
    notes: ['Called again to ask for the refund. It takes up to five days on this card; told so.'],
  },
  {
    orders: 2,
    daysAgo: [3, 13],
    steps: [mailed, downloaded, staff(4001, 'The scanner at gate 4 refused the second ticket.', [1 * DAY, 2 * DAY])],
    notes: ['Asked the venue for the log of gate 4.'],
    tag: 'complaint',
  },
  { orders: 3, daysAgo: [0.2, 6], steps: [[[1, 4], 'program', 4002, 'Mailbox full.']], notes: ['Left a voicemail.'] },
  {
    orders: 3,
    daysAgo: [4, 30],
    steps: [
      [[1, 4], 'program', 4002, 'No such mailbox.'],
      staff(2001, 'Sent again to the corrected address.'),
      downloaded,
    ],
  },
  {
    orders: 3,
    daysAgo: [1, 8],
    steps: [mailed, downloaded, [[0.5, 3], 'program', 4003, 'Rejected by the receiving server: message too large.']],
  },
  {
    orders: 3,
    daysAgo: [5, 9],
    ships: true,
    steps: [mailed, shipped, staff(4004, 'The parcel came back: the street number is missing.', [1 * DAY, 2 * DAY])],
    notes: ['The customer will send the full address by tonight.'],
  },
  {
    orders: 2,
    daysAgo: [9, 25],
    ships: true,
    steps: [
      mailed,
      shipped,
      staff(4004, 'The courier lost the parcel.', [1 * DAY, 2 * DAY]),
      staff(2002, 'Reprinted, and sent by courier again.'),
      arrived,
    ],
  },
  {
    orders: 3,
    daysAgo: [0.8, 4],
    steps: [mailed, staff(4005, 'Offered two seats in the same section, row H.')],
    tag: 'replacement',
  },
  {
    orders: 4,
    daysAgo: [4, 30],
    steps: [
      mailed,
      staff(4005, 'Offered better seats at the same price.'),
      staff(2005, 'The customer accepted by telephone.'),
      downloaded,
    ],
    tag: 'replacement',
  },
  {
    orders: 2,
    daysAgo: [0.5, 2],
    steps: [
      mailed,
      staff(4005, 'Offered the same row on the other side.'),
      staff(2005, 'The customer accepted by e-mail.', [20, 90]),
    ],
    tag: 'replacement',
  },
  { orders: 2, daysAgo: [0.5, 5], steps: [mailed, staff(4006, 'The ticket file of the seller is unreadable.')] },
  {
    orders: 2,
    daysAgo: [1, 6],
    steps: [mailed, staff(4007, 'The venue reports a flooded stage. Waiting for the promoter.')],
  },
  { orders: 9, daysAgo: [0.3, 34], declined: true, steps: [] },
];
