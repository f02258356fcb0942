import { type ArgumentMetadata, Injectable, StandardSchemaValidationPipe } from '@nestjs/common';
import { describeIssues } from './issues.contract.js';
import { parseForeignJson } from '#base/json';
import { HttpError } from './http-error.js';

/** Parses a body as JSON, and validates body, query and path parameters against the schema of the parameter. */
@Injectable()
export class JsonBodyPipe extends StandardSchemaValidationPipe {
  constructor() {
    super({ exceptionFactory: (issues) => HttpError.with(40001, describeIssues(issues)) });
  }

  override transform<T>(value: T, metadata: ArgumentMetadata): Promise<T> {
    const isBody = metadata.type === 'body' && metadata.schema !== undefined;
    return super.transform(isBody ? (parseJson(value) as T) : value, metadata) as Promise<T>;
  }
}

/** Parses a JSON text; throws 40000 if it is invalid. Keys that would change a prototype are rejected. */
export function parseJson(bytes: unknown): unknown {
  if (!Buffer.isBuffer(bytes)) throw HttpError.with(40000, 'the body must be JSON');
  try {
    return parseForeignJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The parser's message would quote its input, which may contain a card number.
    throw HttpError.with(40000, 'the body must be JSON');
  }
}
