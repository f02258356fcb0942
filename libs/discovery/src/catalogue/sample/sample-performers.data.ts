import type { SampleCity } from './sample-places.data.js';

/** All bands, teams and plays are fictional. */

/** Taxonomies with the ids and names that clients of such an API expect. */
export const sampleTaxonomies = [
  [1_000_000, 'sports', null],
  [1_010_000, 'baseball', 1_000_000],
  [1_010_300, 'minor_league_baseball', 1_010_000],
  [1_030_000, 'basketball', 1_000_000],
  [1_030_500, 'nba_dleague', 1_030_000],
  [1_040_000, 'hockey', 1_000_000],
  [1_040_300, 'minor_league_hockey', 1_040_000],
  [1_050_000, 'soccer', 1_000_000],
  [1_050_500, 'us_minor_league_soccer', 1_050_000],
  [2_000_000, 'concert', null],
  [2_010_000, 'music_festival', 2_000_000],
  [3_000_000, 'theater', null],
  [3_010_000, 'classical', 3_000_000],
  [3_010_300, 'classical_orchestral_instrumental', 3_010_000],
  [3_040_000, 'comedy', 3_000_000],
  [3_050_000, 'family', 3_000_000],
] as const;

export const sampleGenres = {
  country: [450, 'Country'],
  pop: [452, 'Pop'],
  rock: [456, 'Rock'],
  indie: [458, 'Indie'],
  punk: [461, 'Punk'],
  soul: [466, 'Soul'],
  folk: [467, 'Folk'],
  jazz: [468, 'Jazz'],
  electronic: [477, 'Electronic'],
} as const;

export type SampleGenre = keyof typeof sampleGenres;

/** Bands with their genres; the first genre is the primary one. */
export const sampleBands: readonly (readonly [string, ...SampleGenre[]])[] = [
  ['The Tin Lanterns', 'folk', 'indie'],
  ['Velvet Tramway', 'pop', 'electronic'],
  ['Mara Quill', 'pop'],
  ['Señor Cometa', 'electronic', 'pop'],
  ['Gravel & Lace', 'country', 'folk'],
  ['Paper Kingfisher', 'indie', 'rock'],
  ['The Understudies', 'rock', 'punk'],
  ['Otis Fairweather', 'soul', 'jazz'],
  ['Neon Orchard', 'electronic'],
  ['Hollow Pines', 'folk'],
  ['The Second Tuesdays', 'rock'],
  ['Delphine Noir', 'jazz', 'soul'],
  ['Static Parade', 'punk', 'rock'],
  ['Kitchen Radio', 'indie', 'pop'],
  ['Cass Holloway', 'country'],
  ['Ghost Ferry', 'rock', 'indie'],
  ['Lumen & the Low Tide', 'electronic', 'indie'],
  ['The Brass Almanac', 'jazz'],
  ['Wren Abbott', 'folk', 'pop'],
  ['Sugar Mill Riot', 'punk'],
  ['Ada & the Engines', 'pop', 'rock'],
  ['Tumbleweed Choir', 'country', 'rock'],
  ['Børge’s Neighbours', 'electronic', 'pop'],
  ['Little Meridian', 'indie'],
  ['Royal Mildew', 'rock'],
  ['Josephine Park', 'soul', 'pop'],
  ['Night Bus Home', 'indie', 'electronic'],
  ['The Quiet Cousins', 'folk'],
  ['Marlowe Street', 'rock'],
  ['Fig & Thistle', 'folk', 'country'],
  ['Radio Petrichor', 'pop', 'electronic'],
  ['Big Sky Payroll', 'country'],
  ['Zoë Castellan', 'pop', 'soul'],
  ['The Left-Hand Drivers', 'punk', 'indie'],
  ['Amber Season Choir', 'rock'],
  ['Cobalt Hour', 'electronic'],
  ['Henry Doyle Trio', 'jazz'],
  ['Patchwork Army', 'rock', 'punk'],
  ['Saint Monday', 'soul'],
  ['Tall Grass Theory', 'indie', 'folk'],
];

export const sampleFestivals = ['Saltbush Festival', 'Lakefront Folk Weekend', 'Night Market Sounds', 'Harvest Amps'];

/** Leagues with their teams, and the city of each team. */
export const sampleLeagues: readonly Readonly<{
  taxonomies: readonly number[];
  league: string;
  teams: readonly (readonly [string, SampleCity])[];
}>[] = [
  {
    taxonomies: [1_000_000, 1_010_000, 1_010_300],
    league: 'Inland Baseball League',
    teams: [
      ['Lakeside Owls', 'chicago'],
      ['River Herons', 'milwaukee'],
      ['Rainline Otters', 'seattle'],
      ['Quarry Kings', 'atlanta'],
      ['Tidewater Terns', 'boston'],
    ],
  },
  {
    taxonomies: [1_000_000, 1_030_000, 1_030_500],
    league: 'Continental Hoops',
    teams: [
      ['Ironworks Giants', 'detroit'],
      ['Highline Ravens', 'denver'],
      ['Harborlight Tide', 'oakland'],
      ['Harrow Street Foxes', 'newYork'],
      ['Gateway Pilots', 'saintLouis'],
    ],
  },
  {
    taxonomies: [1_000_000, 1_040_000, 1_040_300],
    league: 'Northern Ice Association',
    teams: [
      ['Chinook Wolves', 'calgary'],
      ['Motor City Pike', 'detroit'],
      ['Mile High Yetis', 'denver'],
      ['Harrow Street Icebreakers', 'newYork'],
      ['Gateway Blues Brigade', 'saintLouis'],
    ],
  },
  {
    taxonomies: [1_000_000, 1_050_000, 1_050_500],
    league: 'Second City Soccer',
    teams: [
      ['Millrace United', 'milwaukee'],
      ['Rainline Rovers', 'seattle'],
      ['Quarry Athletic', 'atlanta'],
      ['Tidewater Town', 'boston'],
      ['Owl Park Wanderers', 'chicago'],
    ],
  },
];

export const samplePlays = [
  'The Clockmaker’s Niece',
  'Nine Ways to Leave Halifax',
  'The Lighthouse Committee',
  'A Quorum of Ghosts',
  'The Orchard Keepers',
  'Mrs. Abernathy Regrets',
  'Les Quatre Saisons de Rose',
  'Understudy! The Musical',
];

export const sampleComedians = [
  'Second Helping',
  'Priya Nambiar',
  'Doug Fensterman',
  'Two Left Feet Improv',
  'Marguerite Okafor',
  'Lenny Vance',
  'The Apology Tour',
  'Chi-Chi Alvarez',
  'Ned Bramble',
  'Sal Pinkwater',
];

export const sampleFamilyShows = ['Puddle Jumpers Live', 'The Moss Garden on Ice', 'Captain Teaspoon', 'Dino Parade'];

export const sampleOrchestras = [
  'An Evening of Organ and Brass',
  'Great Lakes Sinfonia',
  'The Alban Chamber Players',
  'Orchestre du Carré',
  'Cascadia Philharmonic',
];
