import { Logger } from '@nestjs/common';
import { errorFields } from '#operations/logger';

const REPEAT_AFTER_MS = 30_000;

/**
 * Logs what went wrong in the background. A server that is away fails every call, so the same fault is logged once and
 * then every 30 s while it lasts.
 */
export function errorLog(context: string): (fault: unknown) => void {
  const logger = new Logger(context);
  const logged = new Map<string, number>();
  return (fault) => {
    const text = describe(fault);
    const now = performance.now();
    if (now - (logged.get(text) ?? -Infinity) < REPEAT_AFTER_MS) return;
    // Texts with an id in them would pile up.
    if (logged.size > 100) logged.clear();
    logged.set(text, now);
    logger.warn(text);
  };
}

function describe(fault: unknown): string {
  const { fault: text, code } = errorFields(fault);
  return code === undefined ? text : `${text} (${code})`;
}
