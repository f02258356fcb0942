import { Module } from '@nestjs/common';
import { PlatformAuthModule } from './platform-auth.module.js';
import { StaffModule } from './staff.module.js';
import { ClientsController } from './clients/clients.controller.js';
import { DiscoveryKeysController } from './discovery-keys/discovery-keys.controller.js';

/** The clients of the checkout and the keys of discovery, for staff. */
@Module({
  imports: [StaffModule, PlatformAuthModule],
  controllers: [ClientsController, DiscoveryKeysController],
})
export class ClientsApiModule {}
