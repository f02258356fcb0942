/** Returns whether an npm script started this process. There is then a shell in between. */
export function isRunByNpm(): boolean {
  return process.env['npm_lifecycle_event'] !== undefined;
}
