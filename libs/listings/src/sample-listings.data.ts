import type { ListingBody } from './listing.contract.js';
import type { sampleEvents } from '#web/sample-events.contract';

/** By destination of the tickets; `tax_rate` is for every other place. */
export const sampleTaxes = {
  none: {},
  boston: { tax_rate: 0, tax_rates: { 'US-MA': 0.0625, 'US-RI': 0.07, 'US-CT': 0.0635 } },
  chicago: { tax_rate: 0.0625, tax_rates: { 'US-IL': 0.1025, 'US-WI': 0.055 } },
  newYork: { tax_rate: 0.04, tax_rates: { 'US-NY': 0.08875, 'US-NJ': 0.06625, 'US-CT': 0.0635 } },
  phoenix: { tax_rate: 0.056, tax_rates: { 'US-AZ': 0.086, CA: 0.05 } },
  toronto: { tax_rate: 0, tax_rates: { CA: 0.05, 'CA-ON': 0.13, 'CA-QC': 0.14975 } },
} as const;

export const sampleDeliveries = {
  download: { type: 'download', name: 'E-tickets', cost: 0 },
  ship: { type: 'ship', name: 'Courier, two days', cost: 14.5 },
  shipByPlace: {
    type: 'ship',
    name: 'Tracked mail',
    cost: 9.95,
    costs: { US: 9.95, 'US-AK': 24.5, 'US-HI': 24.5, CA: 19.75 },
  },
  transfer: { type: 'transfer', name: 'Mobile transfer', cost: 0 },
  willCall: { type: 'will_call', name: 'Box office pick-up', cost: 2.5 },
} as const;

type More = Partial<Pick<ListingBody, 'seats' | 'notes' | 'confirmation' | 'confirm_within_minutes'>>;

/** `tickets` are price, fees and wholesale price of one ticket in dollars. */
export type SampleListing = readonly [
  id: string,
  event: keyof typeof sampleEvents,
  section: string,
  row: string,
  quantity: number,
  splitRule: ListingBody['split_rule'],
  tickets: readonly [price: number, fees: number, wholesalePrice: number],
  deliveries: readonly (keyof typeof sampleDeliveries)[],
  taxes: keyof typeof sampleTaxes,
  more?: More,
];

const manual = (minutes: number): More => ({ confirmation: 'manual', confirm_within_minutes: minutes });

export const sampleListings: readonly SampleListing[] = [
  // The README and the printed commands buy the first three.
  ['demo-payment-1', '1001', 'Floor', 'GA', 40, 'any', [50, 7.5, 42], ['download', 'ship'], 'boston'],
  ['demo-wholesale-1', '1001', 'Balcony', 'C', 40, 'any', [36, 5.4, 30], ['download', 'ship'], 'boston'],
  ['demo-manual-1', '1003', 'Stalls', 'F', 12, 'any', [89, 12, 76.5], ['download', 'ship'], 'newYork', manual(30)],
  ['harbor-nights-102', '1001', '102', '8', 6, 'pairs', [64, 9.6, 55], ['transfer'], 'boston'],
  ['harbor-nights-loge', '1001', 'Loge', '2', 4, 'all_together', [120, 18, 101], ['transfer', 'willCall'], 'boston'],
  ['harbor-nights-204', '1001', '204', '15', 5, 'no_single_left', [41.25, 6.15, 34.4], ['download'], 'boston'],
  ['owls-herons-110', '1002', '110', '12', 8, 'no_single_left', [32, 4.8, 26], ['transfer', 'shipByPlace'], 'chicago'],
  ['owls-herons-bleachers', '1002', 'Bleachers', 'GA', 150, 'any', [14.5, 2.2, 11], ['download'], 'chicago'],
  ['owls-herons-dugout', '1002', 'Dugout Box', '1', 2, 'all_together', [210, 31.5, 180], ['willCall'], 'chicago'],
  ['owls-herons-family', '1002', '318', '4', 20, [4, 5, 6], [18, 2.7, 14.25], ['download', 'ship'], 'chicago'],
  ['niece-orchestra', '1003', 'Orchestra', 'K', 4, 'pairs', [149, 22.35, 127], ['transfer', 'ship'], 'newYork'],
  ['niece-mezzanine', '1003', 'Mezzanine', 'B', 7, 'no_single_left', [98.5, 14.8, 84], ['download'], 'newYork'],
  ['niece-standing', '1003', 'Standing', 'SRO', 3, [1], [39, 0, 33], ['willCall'], 'newYork', manual(120)],
  ['saltbush-weekend', '1004', 'Weekend pass', '', 100, 'any', [189, 0, 165], ['shipByPlace', 'willCall'], 'phoenix'],
  ['saltbush-day', '1004', 'Saturday', '', 100, 'any', [79, 6.5, 66], ['download'], 'phoenix'],
  ['saltbush-camp', '1004', 'Camping, pitch for four', '17', 4, 'all_together', [45, 5, 38], ['willCall'], 'phoenix'],
  ['organ-nave', '1005', 'Nave', 'H', 10, 'pairs', [55, 5.5, 46], ['download', 'shipByPlace'], 'toronto'],
  [
    'organ-gallery',
    '1005',
    'Gallery',
    'A',
    9,
    'no_single_left',
    [38, 3.8, 31.5],
    ['download'],
    'toronto',
    manual(1_440),
  ],
  ['organ-choir', '1005', 'Choir stalls', '2', 6, [2, 3, 6], [72.75, 7.25, 61], ['transfer', 'willCall'], 'toronto'],
  ['helping-table', '1006', 'Table 4', '', 4, 'all_together', [30, 0, 24], ['willCall'], 'none'],
  ['helping-rows', '1006', 'Rows', 'D', 11, 'no_single_left', [24, 3.6, 19.5], ['download', 'transfer'], 'none'],
  [
    'helping-last-one',
    '1006',
    'Bar stools',
    '',
    1,
    'any',
    [18, 2.7, 15],
    ['download'],
    'none',
    { notes: 'Side view.' },
  ],
];
