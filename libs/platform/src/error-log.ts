import { Logger } from '@nestjs/common';
import { errorFields } from './logger.js';

const REPEAT_AFTER_MS = 30_000;

// What differs between errors of one kind: `Missing lock for job ord_1-3. moveToFinished`.
const IDS = /(?<=\bjob )\S+|\b[a-z]+_[0-9a-z][\w-]*/gi;

/**
 * For errors of background work. While a server is unreachable every call fails, so the same error is logged once every 30 s, with the id
 * of the first job that it failed. Errors that differ in an id only are the same; the next line counts those that were left out.
 */
export function errorLog(context: string): (error: unknown, job?: string) => void {
  const logger = new Logger(context);
  const logged = new Map<string, { at: number; leftOut: number }>();
  return (error, job) => {
    const text = describe(error);
    const kind = text.replace(IDS, '…');
    const now = performance.now();
    const last = logged.get(kind);
    if (last && now - last.at < REPEAT_AFTER_MS) return void (last.leftOut += 1);
    if (logged.size > 100) logged.clear();
    logged.set(kind, { at: now, leftOut: 0 });
    const more = last?.leftOut ? `, and ${last.leftOut} like it since the last such line` : '';
    logger.warn((job === undefined ? text : `${text} (job ${job})`) + more);
  };
}

function describe(error: unknown): string {
  const { fault: text, code } = errorFields(error);
  return code === undefined ? text : `${text} (${code})`;
}
