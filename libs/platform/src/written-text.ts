/**
 * The text in the order in which its characters are written from left to right, Arabic letters in the form that joins them. Runs of Hebrew and
 * Arabic are turned around; everything else stays where it is, which is enough for names and addresses.
 */
export function writtenText(text: string): string {
  if (!RIGHT_TO_LEFT.test(text)) return text;
  return shaped(text).replace(RUN, (run) => Array.from(run).reverse().join(''));
}

// Without digits, which are written from left to right.
const LETTER = '\\u0590-\\u065f\\u066a-\\u06ef\\u06fa-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufeff';
const RIGHT_TO_LEFT = new RegExp(`[${LETTER}]`, 'u');
const RUN = new RegExp(`[${LETTER}](?:[${LETTER}\\s'’.,-]*[${LETTER}])?`, 'gu');

type Forms = Readonly<{ alone: string; end: string; begin?: string; middle?: string }>;

/** Unicode lists the forms of each letter in this order. A letter with two forms joins only the one before it. */
const FORMS: ReadonlyMap<string, Forms> = formsIn([0xfb50, 0xfbb1], [0xfbfc, 0xfbff], [0xfe80, 0xfef4]);
/** Lam and alef are written as one. */
const LAM_ALEF: ReadonlyMap<string, Forms> = formsIn([0xfef5, 0xfefc]);

function formsIn(...ranges: readonly (readonly [first: number, last: number])[]): ReadonlyMap<string, Forms> {
  const all = new Map<string, string[]>();
  for (const [first, last] of ranges) {
    for (let code = first; code <= last; code += 1) {
      const form = String.fromCharCode(code);
      const letter = form.normalize('NFKC');
      all.set(letter, [...(all.get(letter) ?? []), form]);
    }
  }
  return new Map(
    [...all].flatMap(([letter, [alone, end, begin, middle]]) => {
      if (alone === undefined || end === undefined) return [];
      return [[letter, { alone, end, ...(begin !== undefined && { begin }), ...(middle !== undefined && { middle }) }]];
    }),
  );
}

function shaped(text: string): string {
  const letters = Array.from(text.normalize('NFC'));
  let written = '';
  let joins = false;
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters[at] ?? '';
    const pair = LAM_ALEF.get(letter + (letters[at + 1] ?? ''));
    const forms = pair ?? FORMS.get(letter);
    if (pair) at += 1;
    const joinsNext = forms?.begin !== undefined && FORMS.has(letters[at + 1] ?? '');
    written += forms ? formOf(forms, joins, joinsNext) : letter;
    // Signs above and below a letter do not part it from the next.
    if (!/\p{M}/u.test(letter)) joins = joinsNext;
  }
  return written;
}

function formOf({ alone, end, begin, middle }: Forms, joinsLast: boolean, joinsNext: boolean): string {
  if (joinsLast && joinsNext) return middle ?? end;
  if (joinsNext) return begin ?? alone;
  return joinsLast ? end : alone;
}
