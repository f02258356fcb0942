import type { Randomness } from '#base/randomness';

/** The exclusive right to deliver for a while. `fence`, a unique token, keeps the holder of an expired lease from writing. */
export type Lease<Of extends string> = Readonly<Record<Of, string> & { fence: number }>;

// An attempt may take its whole time-out, and recording it a few seconds more. A lease must outlast both.
export const LEASE_BEYOND_TIMEOUT_MS = 15_000;

const FENCE_BYTES = 6;

export function newFence(randomness: Randomness): number {
  return randomness.bytes(FENCE_BYTES).readUIntBE(0, FENCE_BYTES);
}

/**
 * Takes leases by one statement. An id that stands there twice gets its lease once.
 * @param take returns the ids that it got
 * @param release is for what nobody knows: the statement may have succeeded although its answer was lost
 */
export async function takeLeases(
  ids: readonly string[],
  take: (wanted: readonly string[]) => Promise<readonly string[]>,
  release: (id: string) => Promise<void>,
): Promise<boolean[]> {
  // Sorted so that workers cannot deadlock, and unique because PostgreSQL cannot upsert a row twice in one statement.
  const wanted = [...new Set(ids)].toSorted();
  const taken = await take(wanted).catch((error: unknown) => {
    for (const id of wanted) void release(id);
    throw error;
  });
  const left = new Set(taken);
  return ids.map((id) => left.delete(id));
}

// Longer than any lease. A lease that ends later was written with a wrong clock.
const LONGEST_LEASE = "interval '10 minutes'";

/** An SQL condition: the lease in column `leased_until` is valid at the SQL expression `now`. */
export function leaseHeldAt(now: string): string {
  return `leased_until > ${now}::timestamptz and leased_until <= ${now}::timestamptz + ${LONGEST_LEASE}`;
}

/** An SQL interval. Leases of workers with other settings may last this much longer than ours. */
export const MAX_LEASE_DIFFERENCE = "interval '1 minute'";
