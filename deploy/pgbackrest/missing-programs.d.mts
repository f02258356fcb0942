export const missingPrograms: readonly string[];
