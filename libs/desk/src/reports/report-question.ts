import type { ReportGroup, ReportName } from '../report.contract.js';

/** Which orders a report is about: those that were placed in the period. Times are ISO 8601, UTC. */
export type ReportQuestion = Readonly<{
  report: ReportName;
  /** Inclusive. */
  from: string;
  /** Exclusive. */
  to: string;
  by: ReportGroup;
  /** Whose days the rows by day are: an IANA name. Left out: UTC. */
  timeZone?: string | undefined;
  /** Only orders of these sellers. Null: of all. */
  sellers: readonly string[] | null;
}>;

/** Codes of the status catalogue that reports count. */
export type ReportCodes = Readonly<{
  /** The tickets were sent, by post or electronically. */
  sent: readonly number[];
  /** The broker did not answer in time. */
  notAnswered: number;
  /** What a seller is to blame for. */
  faults: readonly number[];
  /** The tickets that were sent did not arrive, or did not open the gate. */
  misshipped: readonly number[];
}>;
