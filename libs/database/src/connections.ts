import { Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import { DatabaseEpoch } from './epoch.js';
import { LeastPrivilege } from './least-privilege.js';
import { type ConnectionConfig, connectionConfig, type ConnectionOptions } from './pool.js';

/** For parts of this process that need a connection of their own. */
@Injectable()
export class Connections {
  constructor(
    private readonly settings: Settings,
    private readonly epoch: DatabaseEpoch,
    private readonly leastPrivilege: LeastPrivilege,
  ) {}

  /** With the role of the application. Each connection is asked for its rights and for the epoch of the database. */
  config(applicationName: string, options: Partial<ConnectionOptions> = {}): ConnectionConfig {
    const { settings, epoch, leastPrivilege } = this;
    const databaseUrl = settings.DATABASE_URL ?? '';
    return connectionConfig({ databaseUrl, applicationName, epoch, leastPrivilege, ...options });
  }
}
