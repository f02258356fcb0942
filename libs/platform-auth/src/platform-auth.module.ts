import { Module } from '@nestjs/common';
import { DatabaseEpoch } from '#database/epoch';
import { ClientRegistry } from './clients.js';
import { DiscoveryKeyUsage } from './discovery-key-usage.js';
import { DiscoveryKeys } from './discovery-keys.js';
import { StaffToken } from './staff-token.js';
import { KnownClients, RequestVerifier } from './verify-request.js';

const providers = [
  { provide: KnownClients, useExisting: ClientRegistry },
  RequestVerifier,
  StaffToken,
  DiscoveryKeys,
  DiscoveryKeyUsage,
];

/** The registry of clients is in FoundationModule, because the worker signs with their secrets. */
@Module({ providers, exports: providers })
export class PlatformAuthModule {
  constructor(epoch: DatabaseEpoch, keys: DiscoveryKeys) {
    epoch.onChange(() => keys.forget());
  }
}
