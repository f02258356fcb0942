/**
 * For a process that `npm start` has spawned: when the supervisor is gone, however it went, ends this process as on
 * SIGTERM. Does nothing in one that was started by itself.
 */
export function endWithSupervisor(): void {
  if (!process.connected) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // A listener would keep the process alive after its shutdown.
  process.channel?.unref();
}
