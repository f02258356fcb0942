/** One try, of a ping or of a delivery to a webhook. `error` is null when it succeeded. */
export type ListedAttempt = Readonly<{
  attempt: number;
  started_at: string;
  duration_ms: number;
  http_status: number | null;
  error: string | null;
}>;
