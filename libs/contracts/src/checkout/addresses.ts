import countries from 'iso-3166-1';
import postalCodes from 'postal-codes-js';

const ALPHA_2 = new Map(
  countries.all().flatMap(({ alpha2, alpha3 }) => [[alpha2, alpha2] as const, [alpha3, alpha2] as const]),
);

/** Returns a country's alpha-2 code from its ISO 3166-1 alpha-2 or alpha-3 code, in either case; null for an unknown code. */
export function countryCode(code: string): string | null {
  return ALPHA_2.get(code) ?? ALPHA_2.get(code.trim().toUpperCase()) ?? null;
}

// The states of ISO 3166-2, which a spec compares with the library: that would cost 14 MB and 17 ms at start for these three
// countries. Elsewhere an address has no state, or a name for it that no list holds. AA, AE and AP are bases abroad: states to the US mail.
const US =
  'AK AL AR AS AZ CA CO CT DC DE FL GA GU HI IA ID IL IN KS KY LA MA MD ME MI MN MO MP MS MT NC ND NE NH NJ NM NV NY ' +
  'OH OK OR PA PR RI SC SD TN TX UM UT VA VI VT WA WI WV WY AA AE AP';
const CA = 'AB BC MB NB NL NS NT NU ON PE QC SK YT';
const AU = 'ACT NSW NT QLD SA TAS VIC WA';
const STATES = new Map(Object.entries({ US, CA, AU }).map(([country, codes]) => [country, new Set(codes.split(' '))]));

/** Returns the state in its stored form (the code in capitals where the country's states are known); null when it is invalid. */
export function stateCode(country: string, state: string): string | null {
  const known = STATES.get(country);
  if (!known) return state;
  const code = state.trim().toUpperCase();
  return known.has(code) ? code : null;
}

/** Returns whether the text is a postal code of the country (alpha-2). Any text passes for a country without postal codes. */
export function isPostalCode(country: string, text: string): boolean {
  return postalCodes.validate(country, text.trim()) === true || !hasPostalCodes(country);
}

function hasPostalCodes(country: string): boolean {
  // The library accepts any text for a country without postal codes, and none for unknown countries (BQ, CW, SX, which have none).
  const answer = postalCodes.validate(country, '?');
  return answer !== true && !String(answer).startsWith('Unknown');
}
