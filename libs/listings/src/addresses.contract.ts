import countries from 'iso-3166-1';
import postalCodes from 'postal-codes-js';

// Codes that ISO 3166-1 lacks but people and post offices use: of the United Kingdom, of Greece as the European Union writes it, and of Kosovo.
const USED_CODES = [
  ['UK', 'GB'],
  ['EL', 'GR'],
  ['XK', 'XK'],
  ['XKX', 'XK'],
] as const;

const ALPHA_2 = new Map<string, string>([
  ...countries.all().flatMap(({ alpha2, alpha3 }) => [[alpha2, alpha2] as const, [alpha3, alpha2] as const]),
  ...USED_CODES,
]);

/**
 * Returns a country's alpha-2 code from its ISO 3166-1 alpha-2 or alpha-3 code, or another code in use (`UK`, `XK`), in either case; null for
 * an unknown code.
 */
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

// Only here does something depend on the form: tax, places on the map, address checks of payment providers.
const CHECKED = new Set(['US', 'CA']);

// Countries whose addresses are incomplete without a code, as Google's address data (libaddressinput) has them. Elsewhere codes are unknown
// or hardly used: IE, HK, AE, JM, PA …
const REQUIRED = new Set(
  (
    'AS AT AU AX BE BR CA CH CN CZ DE DK EE ES FI FK FO FR GB GF GG GL GP GR GS GU HU IM IN IO IT JE JP KR LT LU MH MP MQ MX MY NC NL NO ' +
    'NZ PL PM PN PR PT RE RU SE SG SJ SK TC TR TW UA US VI WF YT ZA'
  ).split(' '),
);

// Letters and digits of any script, because Japanese codes may be full width, and what stands between them.
const CODE = /^[\p{L}\p{N}〒][\p{L}\p{N} .\-‐–－/]{0,15}$/u;
const NO_CODE = /^[ .\-–/]{0,16}$/;

/**
 * Returns whether the text can be a postal code of the country (alpha-2). Countries change their codes, so outside the US and Canada only
 * length and characters count. Where codes are hardly used, the text may be empty or only marks.
 */
export function isPostalCode(country: string, text: string): boolean {
  const code = text.trim();
  if (CHECKED.has(country)) return postalCodes.validate(country, code) === true;
  return CODE.test(code) || (!REQUIRED.has(country) && NO_CODE.test(code));
}
