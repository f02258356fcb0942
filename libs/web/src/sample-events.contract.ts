/** The events of the sample catalogue and of the sample listings. All names are invented. */
export const sampleEvents = {
  '1001': { title: 'The Tin Lanterns: Harbor Nights', venue: 'Pier Nine Hall, Boston, MA', daysAhead: 3, utcHour: 24 },
  '1002': { title: 'Lakeside Owls vs River Herons', venue: 'Owl Park, Chicago, IL', daysAhead: 5, utcHour: 19 },
  '1003': { title: 'The Clockmaker’s Niece', venue: 'Annex Playhouse, New York, NY', daysAhead: 9, utcHour: 24 },
  '1004': { title: 'Saltbush Festival', venue: 'Mesa Meadow, Phoenix, AZ', daysAhead: 30, utcHour: 21 },
  '1005': { title: 'An Evening of Organ and Brass', venue: 'Alban Hall, Toronto, ON', daysAhead: 16, utcHour: 23 },
  '1006': { title: 'Second Helping: Stand-up', venue: 'The Side Door, Austin, TX', daysAhead: 1, utcHour: 26 },
} as const;
