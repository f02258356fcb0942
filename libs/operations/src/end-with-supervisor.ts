/**
 * For a process that `npm start` has spawned: when the supervisor is gone, however it went, ends this process as on
 * SIGTERM. Does nothing in one that was started by itself.
 */
export function endWithSupervisor(): void {
  const end = () => process.kill(process.pid, 'SIGTERM');
  // Node sets `send` for a process with a channel and leaves it there when the channel is closed.
  if (process.send === undefined) return;
  // The supervisor was killed while this process loaded its modules: its `disconnect` has come and gone.
  if (!process.connected) return void end();
  process.once('disconnect', end);
  // A listener would keep the process alive after its shutdown.
  process.channel?.unref();
}
