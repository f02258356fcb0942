import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';

/** A message as the broker stored it, in its order. `id` is what the broker was told. */
export type BrokerMessage = Readonly<{ id: string; subject: string; body: string }>;

/** A real server on this machine. */
export type TestBroker = Readonly<{
  /** The address of a destination, with user and password. It stays the same after a restart. */
  url: string;
  /** kill -9. */
  kill(): Promise<void>;
  /** Starts it again with what it has stored. */
  restart(): Promise<void>;
  messages(): Promise<readonly BrokerMessage[]>;
  /** Ends the server and removes its files. */
  stop(): Promise<void>;
}>;

export async function ended(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill(signal);
  await once(server, 'exit');
}
