/** What is wrong with one field: its path in the api, such as `seats.0`, and the rest of the sentence. */
export type FieldFault = Readonly<{ path: string; text: string }>;

// The api names the kind of refusal first: `Missing or invalid field: price: must be a number`.
const KIND = /^[A-Z][^:]*: /;
// `data.carrier must be …`, `seats.0: …`
const FAULT = /^([a-z]\w*(?:\.\w+)*)(?:: | (?=must |is |are |has |needs ))(.+)$/;

/** The parts of a message about fields. A part that names none has the path ''. */
export function faultsIn(message: string): FieldFault[] {
  return message
    .replace(KIND, '')
    .split('; ')
    .map((part) => {
      const [, path = '', text = part] = FAULT.exec(part) ?? [];
      return { path, text };
    });
}

/** A refusal as a person reads it: `Carrier must be one of UPS, FedEx.` */
export function refusalText(message: string): string {
  return faultsIn(message)
    .map(({ path, text }) => sentence(path === '' ? text : `${nameIn(path)} ${text}`))
    .join(' ');
}

/** The last name of a path; a number only counts. */
function nameIn(path: string): string {
  const names = path.split('.').filter((part) => !/^\d+$/.test(part));
  return (names.at(-1) ?? path).replaceAll('_', ' ');
}

function sentence(text: string): string {
  const begun = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.!?…”]$/.test(begun) ? begun : `${begun}.`;
}
