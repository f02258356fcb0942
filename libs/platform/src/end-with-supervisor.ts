/** In a process that `npm start` spawned, sends SIGTERM to itself when the supervisor ends for whatever reason. */
export function endWithSupervisor(): void {
  const end = () => process.kill(process.pid, 'SIGTERM');
  // `send` exists in a process with an IPC channel, even after the channel is closed.
  if (process.send === undefined) return;
  // The supervisor was killed while this process loaded its modules, so its `disconnect` event is already over.
  if (!process.connected) return void end();
  process.once('disconnect', end);
  // Otherwise the channel would keep the process alive after its shutdown.
  process.channel?.unref();
}
