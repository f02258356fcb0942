import { Module } from '@nestjs/common';
import { DatabaseEpoch } from '#database/epoch';
import { ClientRegistry } from './clients.js';

/** The registry of clients: the api checks signatures with it, and the worker signs. */
@Module({ providers: [ClientRegistry], exports: [ClientRegistry] })
export class ClientsModule {
  /** A restored database may know other clients and secrets. */
  constructor(epoch: DatabaseEpoch, clients: ClientRegistry) {
    epoch.onChange(() => clients.forget());
  }
}
