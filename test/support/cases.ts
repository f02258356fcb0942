const FACTOR = Number(process.env['CASES'] ?? 1);

/** How many random cases a test tries. `CASES=10` multiplies all of them, e.g. after a change of what they test. */
export const cases = (usual: number): number => Math.ceil(usual * FACTOR);
