/** Whether a link leads to a page of ours: it must not lead elsewhere after signing in. */
export const isOwnAddress = (next: unknown): next is string => typeof next === 'string' && /^\/(?![/\\])/.test(next);
