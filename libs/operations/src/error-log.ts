import { Logger } from '@nestjs/common';
import { errorFields } from './logger.js';

const REPEAT_AFTER_MS = 30_000;

/**
 * For errors of background work. While a server is unreachable every call fails, so the same error is logged once every 30 s, with the id
 * of the first job that it failed.
 */
export function errorLog(context: string): (error: unknown, job?: string) => void {
  const logger = new Logger(context);
  const logged = new Map<string, number>();
  return (error, job) => {
    const text = describe(error);
    const now = performance.now();
    if (now - (logged.get(text) ?? -Infinity) < REPEAT_AFTER_MS) return;
    if (logged.size > 100) logged.clear();
    logged.set(text, now);
    logger.warn(job === undefined ? text : `${text} (job ${job})`);
  };
}

function describe(error: unknown): string {
  const { fault: text, code } = errorFields(error);
  return code === undefined ? text : `${text} (${code})`;
}
