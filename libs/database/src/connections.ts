import { Injectable } from '@nestjs/common';
import { Settings } from '#config/settings';
import { DatabaseEpoch } from './epoch.js';
import { type ConnectionConfig, connectionConfig, type ConnectionOptions } from './pool.js';

/** For parts of this process that need a connection of their own. */
@Injectable()
export class Connections {
  constructor(
    private readonly settings: Settings,
    private readonly epoch: DatabaseEpoch,
  ) {}

  /** With the role of the application. Each connection is asked for the epoch of the database. */
  config(applicationName: string, options: Partial<ConnectionOptions> = {}): ConnectionConfig {
    const { settings, epoch } = this;
    return connectionConfig({ databaseUrl: settings.DATABASE_URL ?? '', applicationName, epoch, ...options });
  }
}
