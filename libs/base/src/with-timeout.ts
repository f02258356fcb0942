class TimeoutError extends Error {
  override readonly name = 'TimeoutError';

  constructor(what: string, afterMs: number) {
    super(`${what}: no answer within ${afterMs} ms`);
  }
}

/** Does not cancel the operation. @throws TimeoutError */
export async function withTimeout<T>(promise: Promise<T>, ms: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(what, ms)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
