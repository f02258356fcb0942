/** The note of a change, for its command. Null means none. */
export const noted = (note: string | null | undefined) => (typeof note === 'string' ? { note } : {});
