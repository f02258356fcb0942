import { type DynamicModule, Module } from '@nestjs/common';
import { Pool } from 'pg';
import { createPool } from '#database/pool';
import { BareController } from './bare.controller.js';
import { PurchaseRows } from './purchase-rows.js';

@Module({ controllers: [BareController] })
export class BareModule {
  /** The pool is as large as the api's default. */
  static for(databaseUrl: string): DynamicModule {
    const pool = createPool({ databaseUrl, applicationName: 'willcall bare', max: 10, onError: () => undefined });
    return {
      module: BareModule,
      providers: [
        { provide: Pool, useValue: pool },
        { provide: PurchaseRows, useFactory: () => PurchaseRows.read(pool) },
      ],
    };
  }
}
