import { Module } from '@nestjs/common';
import { DatabaseEpoch } from '#database/epoch';
import { ClientRegistry } from './clients.js';
import { ClientsModule } from './clients.module.js';
import { DiscoveryKeyUsage } from './discovery-key-usage.js';
import { DiscoveryKeys } from './discovery-keys.js';
import { StaffToken } from './clients/staff-token.js';
import { KnownClients, RequestVerifier } from './verify-request.js';

const providers = [
  { provide: KnownClients, useExisting: ClientRegistry },
  RequestVerifier,
  StaffToken,
  DiscoveryKeys,
  DiscoveryKeyUsage,
];

@Module({ imports: [ClientsModule], providers, exports: [ClientsModule, ...providers] })
export class PlatformAuthModule {
  constructor(epoch: DatabaseEpoch, keys: DiscoveryKeys) {
    epoch.onChange(() => keys.forget());
  }
}
