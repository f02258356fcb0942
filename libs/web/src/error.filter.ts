import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from './errors.contract.js';
import { hadNoEffect } from '#database/database-errors';
import { isReadOnlyError } from '#database/unusable-database';
import { DomainError } from '#domain/domain-error';
import { VersionConflict } from '#event-store/event-store';
import { errorFields, Logger } from '#platform/logger';
import { InvalidValue, Overloaded } from '#base/caller-errors';
import { StorageError } from '#platform/object-store';
import { answerTo } from './domain-answers.js';
import { HttpError } from './http-error.js';
import { SAFE_METHODS } from './safe-methods.js';
import { ErrorWriter } from './written-error.js';

/** Errors of the framework, by HTTP status. */
const BY_STATUS: Readonly<Record<number, ErrorCode>> = { 404: 40400, 413: 41300, 415: 41500, 503: 50300 };

const READ_ONLY_HEADERS = { 'retry-after': '5' };
const BUSY_HEADERS = { 'retry-after': '2' };

const RETRY_AFTER_SECONDS = '2';

/**
 * The only place that turns a thrown error into an answer. An unexpected error is logged with its transaction id, and its message
 * is not sent. It answers 503 if certainly nothing was done, else 500.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    @Inject(Logger) private readonly logger: Logger,
    @Inject(ErrorWriter) private readonly errors: ErrorWriter,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const refused = expectedError(thrown);
    if (!refused) this.logger.error({ transaction_id: request.id, ...errorFields(thrown) }, 'fault');
    const { status, headers, body } = refused ?? unexpectedError(request.method, thrown);
    const answer = this.errors.write(request.raw, status, body);
    void reply
      .code(status)
      .headers({ ...headers, ...answer.headers })
      .send(answer.body);
  }
}

function unexpectedError(method: string, error: unknown): HttpError {
  // Files are stored before anything is recorded.
  const hadEffect = !hadNoEffect(error) && !(error instanceof StorageError);
  // The client may always repeat a read.
  if (!SAFE_METHODS.includes(method) && hadEffect) return HttpError.with(50000);
  return HttpError.with(50300, undefined, { 'retry-after': RETRY_AFTER_SECONDS });
}

function expectedError(thrown: unknown): HttpError | undefined {
  if (thrown instanceof HttpError) return thrown;
  if (thrown instanceof DomainError) return answerTo(thrown);
  // Other requests kept changing the order during the retries of this one. The caller may read it and try again.
  if (thrown instanceof VersionConflict) return HttpError.with(41201);
  if (thrown instanceof InvalidValue) return HttpError.with(40001, `${thrown.field}: ${thrown.message}`);
  if (thrown instanceof Overloaded) return HttpError.with(50300, thrown.message, BUSY_HEADERS);
  if (isReadOnlyError(thrown)) return HttpError.with(50300, 'the database is read-only', READ_ONLY_HEADERS);
  const status = thrown instanceof HttpException ? thrown.getStatus() : (thrown as { statusCode?: unknown }).statusCode;
  if (typeof status !== 'number' || (status >= 500 && status !== 503)) return undefined;
  return HttpError.with(BY_STATUS[status] ?? 40000);
}
