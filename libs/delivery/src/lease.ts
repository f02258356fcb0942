import type { Randomness } from '#runtime/randomness';

/**
 * The sole right to deliver to something, for a while. `Of` names the field with its id. Two leases never have the same fence,
 * so a statement that demands the fence writes nothing for a lease that has passed to another worker (a fencing token, as in
 * M. Kleppmann, Designing Data-Intensive Applications, chapter 8).
 */
export type Lease<Of extends string> = Readonly<Record<Of, string> & { fence: number }>;

const FENCE_BYTES = 6;

/** A random whole number below 2^48, which fits a JavaScript number and a bigint of Postgres. */
export function newFence(randomness: Randomness): number {
  return randomness.bytes(FENCE_BYTES).readUIntBE(0, FENCE_BYTES);
}

// Longer than any lease. One that ends later was written while a clock was wrong, and counts as over.
const LONGEST_LEASE = "interval '10 minutes'";

/** SQL: whether a lease with a column `leased_until` lasts at `now`, an expression of SQL. */
export function heldAt(now: string): string {
  return `leased_until > ${now}::timestamptz and leased_until <= ${now}::timestamptz + ${LONGEST_LEASE}`;
}

/** SQL interval: how much longer than this worker's leases those of workers with other settings may last. */
export const LEASES_DIFFER_BY = "interval '1 minute'";
