import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Clock } from '#base/clock';
import { DatabaseClock } from '#database/database-clock';
import { seatsOf } from '#domain/seats';
import { KnownBarcodes } from '../tickets/known-barcodes.js';
import { type PassContent, passContent } from './pass-content.js';
import { PassIssuer, type PassSeat } from './pass-issuer.js';
import { PassShows } from './pass-shows.js';

/** `change`: higher than that of every pass that changed before. `ticketId`: the file of an order with just this content. */
export type Pass = PassSeat &
  Readonly<{ serial: string; content: PassContent; modifiedAt: Date; change: number; ticketId: string | null }>;

/** The passes of seats as they are now. That one has changed is noticed when somebody asks for it, whatever changed it. */
@Injectable()
export class Passes {
  constructor(
    private readonly pool: Pool,
    private readonly barcodes: KnownBarcodes,
    private readonly shows: PassShows,
    private readonly issuer: PassIssuer,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** Undefined if nobody can open its barcode any more. @throws DomainError if there is no such order */
  async newest(seat: PassSeat): Promise<Pass | undefined> {
    const content = await this.contentOf(seat);
    if (content === undefined) return undefined;
    const serial = content.serialNumber;
    const digest = createHash('sha256').update(JSON.stringify(content)).digest();
    const written = async () => (await this.write(serial, seat.orderId, digest)) ?? (await this.read(serial, digest));
    const row = (await this.read(serial, digest)) ?? (await written());
    return row && { ...seat, ...row, serial, content };
  }

  /** Remembers the file with the present content of a pass. */
  async keep({ serial, change }: Pass, ticketId: string): Promise<void> {
    await this.pool.query('update passes set ticket_id = $3 where serial = $1 and change = $2', [
      serial,
      change,
      ticketId,
    ]);
  }

  private async contentOf({ orderId, seat }: PassSeat): Promise<PassContent | undefined> {
    const { order, barcodes } = await this.barcodes.ofOrder(orderId);
    const isGood = order.status?.status !== 'rejected' && seatsOf(order).includes(seat);
    const barcode = isGood ? barcodes.get(seat)?.barcode : null;
    if (barcode === undefined) return undefined;
    const show = await this.shows.of(orderId);
    return passContent(this.issuer.identityOf({ orderId, seat }), { ...show, seat, orderId, barcode });
  }

  private async read(serial: string, digest: Buffer): Promise<PassRow | undefined> {
    return (await this.pool.query<PassRow>(`${READ} where serial = $1 and digest = $2`, [serial, digest])).rows[0];
  }

  /** Undefined if the order's key is gone, or another process has just written the same. */
  private async write(serial: string, orderId: string, digest: Buffer): Promise<PassRow | undefined> {
    const at = new Date(this.clock.now());
    return (await this.pool.query<PassRow>(WRITE, [serial, orderId, digest, at])).rows[0];
  }
}

type PassRow = Pick<Pass, 'modifiedAt' | 'change' | 'ticketId'>;

const COLUMNS = 'modified_at as "modifiedAt", change::float8 as change, ticket_id as "ticketId"';
const READ = `select ${COLUMNS} from passes`;

// Phones compare whole seconds, so two contents never have the same one.
const WRITE = `
  insert into passes (serial, order_id, digest, modified_at)
  select $1, k.order_id, $3, $4 from personal_data_keys k where k.order_id = $2
  on conflict (serial) do update
  set digest = excluded.digest, ticket_id = null, change = nextval('pass_changes'),
    modified_at = greatest(excluded.modified_at, passes.modified_at + interval '1 second')
  where passes.digest <> excluded.digest
  returning ${COLUMNS}`;
