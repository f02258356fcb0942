import type { ClientBase } from 'pg';

// pg's types leave it out.
type WithStream = { connection: { stream: { destroy(error?: Error): void } } };

/** Ends a connection without a word to the server, which may not respond: `end()` would wait for it. */
export function dropConnection(client: ClientBase, error?: Error): void {
  (client as ClientBase & WithStream).connection.stream.destroy(error);
}
