import { z } from 'zod';
import {
  roleIssue,
  STATUS_ROLES,
  type StatusCatalogue,
  statusCatalogue,
  type StatusRole,
} from '#domain/status-catalogue';
import { STATUS_VALUES, type StatusValue } from '#domain/status';

// The database stores codes as int.
const MAX_CODE = 2 ** 31 - 1;

const INVALID_CODE = `status_code must be an integer from 0 to ${MAX_CODE}`;
const INVALID_MESSAGE = 'status_message must be a text';
const INVALID_LABEL = 'label must be a text of at most 60 characters';

const status = z.object(
  {
    status_code: z.int(INVALID_CODE).min(0, INVALID_CODE).max(MAX_CODE, INVALID_CODE),
    status: z.enum(STATUS_VALUES, `status must be one of ${STATUS_VALUES.join(', ')}`),
    status_message: z.string(INVALID_MESSAGE).min(1, INVALID_MESSAGE),
    event: z.string('event must be a text').nullish(),
    label: z.string(INVALID_LABEL).min(1, INVALID_LABEL).max(60, INVALID_LABEL).nullish(),
  },
  'must be an object',
);

/** One schema for each name. */
function each<Name extends string, Schema extends z.ZodType>(names: readonly Name[], schema: (name: Name) => Schema) {
  return Object.fromEntries(names.map((name) => [name, schema(name)])) as Record<Name, Schema>;
}

const following = (from: StatusValue) => {
  const error = `${from} must list statuses`;
  return z.array(z.enum(STATUS_VALUES, error), error);
};

/** The shape of a status catalogue as an integration writes it (JSON). The domain has the rules between its entries. */
const StatusCatalogueFile = z.object(
  {
    version: z.int('version must be an integer'),
    statuses: z.array(status, 'statuses must be an array'),
    transitions: z.strictObject(each(STATUS_VALUES, following), {
      error: ({ code: kind, keys }) =>
        kind === 'unrecognized_keys' ? `${String(keys)} is not a status` : 'must be an object',
    }),
    roles: z.object(
      each(STATUS_ROLES, (role: StatusRole) => z.int(roleIssue(role))),
      'must be an object',
    ),
  },
  'must be a JSON object',
);

/**
 * Parses the JSON value of a catalogue's file.
 * @throws Error that lists what is wrong with the file, a line each. The rules between entries are checked once the shape is right.
 */
export function parseStatusCatalogue(value: unknown): StatusCatalogue {
  const { data, error } = StatusCatalogueFile.safeParse(value);
  if (data) return statusCatalogue(data);
  const issues = new Set(error.issues.map((issue) => described(issue, value)));
  throw new Error(`The status catalogue is invalid:\n- ${[...issues].join('\n- ')}`);
}

/** Statuses are named by their code, which people find in the file, and not by their place. */
function described({ path: [part, index], message }: z.core.$ZodIssue, file: unknown): string {
  if (part === 'transitions' || part === 'roles') return `${part}: ${message}`;
  if (part !== 'statuses' || typeof index !== 'number') return message;
  const { statuses } = file as { statuses: readonly ({ status_code?: unknown } | null)[] };
  return `status ${String(statuses[index]?.status_code)}: ${message}`;
}
