import { spawnSync } from 'node:child_process';

/** Throws unless the command succeeds. Its output goes to stderr, because stdout of `npm run willcall` belongs to `willcall`. */
export function runCommand(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 2, 2], ...options });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: exit code ${status}`);
}
