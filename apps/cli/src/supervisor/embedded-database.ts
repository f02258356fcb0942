import type { Settings } from '#base/settings';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#database/embedded-postgres';
import { UserError } from '../terminal/user-error.js';
import { embeddedDirectory } from '../database/with-database.js';
import { SupervisedProcess } from './supervised-process.js';

export type DatabaseAddresses = Readonly<{ applicationUrl: string; ownerUrl: string | undefined }>;

/** The supervised embedded server, always at the same address. `addresses` are known after `server.start()`. */
export function embeddedDatabase(settings: Settings): {
  server: SupervisedProcess;
  addresses: () => DatabaseAddresses;
} {
  const dataDirectory = embeddedDirectory(settings);
  let address: EmbeddedPostgres | undefined;
  const launch = async (giveUp: AbortSignal) => {
    // The port of the first start, because services hold its address.
    const port = address && { port: address.port };
    const server = await startEmbeddedPostgres({ dataDirectory, durable: true, signal: giveUp, ...port });
    if (server.borrowed) {
      await server.stop();
      throw new UserError(
        `Another Willcall runs on DATA_DIR ${settings.DATA_DIR} (PostgreSQL is process ${server.pid}).`,
      );
    }
    address = server;
    return {
      ended: server.exited.then((code) => (code === null ? 'killed' : `exit code ${code}`)),
      stop: () => server.stop(),
      kill: () => server.kill(),
    };
  };
  return {
    server: new SupervisedProcess('PostgreSQL', launch),
    addresses() {
      if (!address) throw new Error('The embedded PostgreSQL has not been started');
      return address;
    },
  };
}
