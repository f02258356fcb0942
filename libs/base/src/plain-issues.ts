import { z } from 'zod';

type RawIssue = z.core.$ZodRawIssue;

/**
 * Gives the issues of all schemas words that people understand. They follow the name of the field: `price: must be a number`. They name what
 * is allowed, and never quote the value.
 */
export function speakPlainly(): void {
  z.config({ localeError: plainText });
}

function plainText(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `must ${least(issue.origin, Number(issue.minimum), issue.inclusive !== false)}`;
    case 'too_big':
      return `must ${most(issue.origin, Number(issue.maximum), issue.inclusive !== false)}`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'has a form that is not allowed';
    case 'not_multiple_of':
      return issue.divisor === 0.01 ? 'must have at most two decimals' : `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `${issue.keys.map((key) => `"${key}"`).join(', ')} ${issue.keys.length === 1 ? 'is' : 'are'} not known here`;
    case 'invalid_union':
      return unionText(issue);
    default:
      return 'is not allowed';
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  date: 'a time',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'must be an e-mail address',
  url: 'must be a web address',
  datetime: 'must be a time such as 2030-01-31T09:00:00Z',
  date: 'must be a day such as 2030-01-31',
  time: 'must be a time of day such as 09:00:00',
};

function least(origin: string, minimum: number, inclusive: boolean): string {
  const unit = UNITS[origin];
  if (!unit) return `be ${inclusive ? 'at least' : 'more than'} ${minimum}`;
  return minimum === 1 ? 'not be empty' : `have at least ${minimum} ${unit}`;
}

function most(origin: string, maximum: number, inclusive: boolean): string {
  const unit = UNITS[origin];
  return unit ? `have at most ${maximum} ${unit}` : `be ${inclusive ? 'at most' : 'less than'} ${maximum}`;
}

const UNITS: Readonly<Record<string, string>> = {
  string: 'characters',
  array: 'entries',
  set: 'entries',
  map: 'entries',
};

/** What each alternative asks for, as long as none of them looks into the value. */
function unionText(issue: Extract<RawIssue, { code: 'invalid_union' }>): string {
  if (issue.discriminator !== undefined) return `must have a known ${issue.discriminator}`;
  const alternatives = issue.errors.map((issues) =>
    issues.length === 1 && issues[0]?.path.length === 0 ? issues[0].message : undefined,
  );
  const texts = [...new Set(alternatives)].filter((text) => text !== undefined);
  return texts.length === 0 || texts.length < alternatives.length
    ? 'has a form that is not allowed'
    : texts.join(', or ');
}
