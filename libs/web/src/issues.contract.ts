import { speakPlainly } from '#base/plain-issues';

// Whoever describes issues wants them in plain words, and a schema writes them when it finds them.
speakPlainly();

/** A validation issue in the form that all schema libraries share (Standard Schema 1). */
type Issue = Readonly<{
  message: string;
  path?: readonly (PropertyKey | Readonly<{ key: PropertyKey }>)[] | undefined;
}>;

// A hostile body can have thousands of issues, and keys as long as the body.
const MOST_NAMED = 20;
const LONGEST_NAMED = 200;

/** Describes all issues in one line: `price: must be a number; seats.0: …`. It shows keys, never values. */
export function describeIssues(issues: readonly Issue[]): string {
  const described = issues.slice(0, MOST_NAMED).map(({ path = [], message }) => {
    const field = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
    return shortened(field ? `${field}: ${message}` : message);
  });
  const more = issues.length - described.length;
  return [...described, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function shortened(text: string): string {
  return text.length <= LONGEST_NAMED ? text : `${text.slice(0, LONGEST_NAMED)}…`;
}
