/** Names of states and provinces, as people search for them. */
const STATES: Readonly<Record<string, string>> = Object.fromEntries(
  `AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,DC District of Columbia,
  FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,KY Kentucky,LA Louisiana,ME Maine,MD Maryland,
  MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,
  NJ New Jersey,NM New Mexico,NY New York,NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,
  RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,WA Washington,
  WV West Virginia,WI Wisconsin,WY Wyoming,PR Puerto Rico,GU Guam,AB Alberta,BC British Columbia,MB Manitoba,NB New Brunswick,
  NL Newfoundland and Labrador,NS Nova Scotia,NT Northwest Territories,NU Nunavut,ON Ontario,PE Prince Edward Island,QC Quebec,
  SK Saskatchewan,YT Yukon`
    .split(',')
    .map((entry) => [entry.trim().slice(0, 2), entry.trim().slice(3)]),
);

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** The code of a Canadian province. */
export function provinceCode(name: string): string | undefined {
  return Object.keys(STATES).find((code) => STATES[code] === name);
}

/** A state of the US or Canada by its code of two letters. */
export function stateName(state: string | null, country: string | null): string | undefined {
  return state !== null && (country === 'US' || country === 'CA') ? STATES[state] : undefined;
}

/** A country by its code of two letters. */
export function countryName(country: string | null): string | undefined {
  return country !== null && /^[A-Z]{2}$/.test(country) ? countries.of(country) : undefined;
}
