/** Whether `npm start` and the like have started this process, by a shell in between. */
export function isRunByNpm(): boolean {
  return process.env['npm_lifecycle_event'] !== undefined;
}
