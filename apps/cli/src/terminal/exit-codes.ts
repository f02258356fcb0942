/** The exit codes of all commands; docs/monitoring.md has the same table. Nagios reads 1 as a warning and 3 as unknown. */
export const EXIT = {
  ok: 0,
  /** The command failed, or found a problem. */
  problem: 1,
  /** The command line is wrong; nothing was done. */
  usage: 2,
  /** A server that the command needs did not answer. */
  unreachable: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
