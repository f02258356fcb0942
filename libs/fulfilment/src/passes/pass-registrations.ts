import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Clock } from '#base/clock';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import { PassIssuer } from './pass-issuer.js';
import { Passes } from './passes.js';

/** As Apple's phones read it. */
export type UpdatedPasses = Readonly<{ serialNumbers: readonly string[]; lastUpdated: string }>;

/** Devices of one pass. A buyer has a few; those who share theirs have some more. */
const MOST_DEVICES = 20;
/** Passes of one device. */
const MOST_PASSES = 100;

/** Which devices have which passes. Of a device only a digest of its id is kept: nothing is pushed to it. */
@Injectable()
export class PassRegistrations {
  constructor(
    private readonly pool: Pool,
    private readonly passes: Passes,
    private readonly issuer: PassIssuer,
    private readonly sealer: Sealer,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** Returns whether that is new. Undefined if there is no such pass. */
  async add(device: string, serial: string): Promise<boolean | undefined> {
    const seat = this.issuer.seatOf(serial);
    if (!seat || !(await this.passes.newest(seat))) return undefined;
    const [current, ...earlier] = this.sealer.digests('pass-device', device);
    const values = [current, earlier, serial, new Date(this.clock.now())];
    const isNew = (await this.pool.query(ADD, values)).rowCount === 1;
    if (isNew) await this.pool.query(FORGET_OLDEST, [serial, MOST_DEVICES]);
    return isNew;
  }

  async remove(device: string, serial: string): Promise<void> {
    await this.pool.query(REMOVE, [this.sealer.digests('pass-device', device), serial]);
  }

  /** Those of a device that have changed. Undefined if none has. @param since `lastUpdated` of an earlier answer */
  async updatedSince(device: string, since: string | undefined): Promise<UpdatedPasses | undefined> {
    const values = [this.sealer.digests('pass-device', device), MOST_PASSES];
    const { rows } = await this.pool.query<{ serial: string }>(OF_DEVICE, values);
    const updated: { serial: string; change: number }[] = [];
    for (const { serial } of rows) {
      const seat = this.issuer.seatOf(serial);
      const change = (seat && (await this.passes.newest(seat)))?.change ?? 0;
      if (change > (Number(since) || 0)) updated.push({ serial, change });
    }
    if (updated.length === 0) return undefined;
    const lastUpdated = String(Math.max(...updated.map(({ change }) => change)));
    return { serialNumbers: updated.map(({ serial }) => serial), lastUpdated };
  }
}

/** $1 the device, $2 the same by earlier keys, $3 the serial number. */
const ADD = `
  insert into pass_registrations (device, serial, registered_at) select $1, p.serial, $4 from passes p
  where p.serial = $3 and not exists (select from pass_registrations r where r.serial = $3 and r.device = any($2))
  on conflict do nothing`;

const FORGET_OLDEST = `
  delete from pass_registrations r using (
    select device from pass_registrations where serial = $1 order by registered_at desc, device offset $2) as old
  where r.serial = $1 and r.device = old.device`;

const REMOVE = 'delete from pass_registrations where device = any($1) and serial = $2';

const OF_DEVICE = `
  select distinct serial, registered_at from pass_registrations where device = any($1) order by registered_at desc limit $2`;
