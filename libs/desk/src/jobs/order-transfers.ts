import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Job, JobPreview, JobResult, NewJob } from '../job.contract.js';
import type { JobRow } from '../job.js';
import { Jobs } from './jobs.js';
import { hasBuyers } from '../files/export-columns.js';
import { OrderExport } from '../files/order-export.js';
import { OrderImport, orderLineSplitter } from '../files/order-import.js';
import { OrderTransferJobs } from '../order-transfer-jobs.js';
import { asksForBuyer } from '#orders/search-sources';
import { type Caller, readsPersonalData } from '#accounts/caller';
import type { TextRecord } from '#base/record-splitter';
import { HttpError, orNotFound } from '#web/http-error';
import { JobView } from './job-view.js';
import { accessOf } from '#orders/order-finding';

export type WantedExport = Extract<NewJob, { kind: 'export_orders' }>;

const SHOWN = 20;
const MOST_ERRORS = 1_000;
const BATCH_LINES = 200;
const NO_EFFECTS = { ping: 0, refund: 0, restock: 0, note: 0, choice: 0 };

/** A job by its id, as answers show it. */
@Injectable()
export class ShownJobs {
  constructor(
    private readonly jobs: Jobs,
    private readonly view: JobView,
  ) {}

  async job(id: string, caller: Caller): Promise<Job> {
    return await this.view.shown(orNotFound(await this.jobs.find(id), 'job'), caller);
  }
}

/** Checks and begins exports and imports of orders. */
@Injectable()
export class OrderTransfers {
  constructor(
    private readonly pool: Pool,
    private readonly exporting: OrderExport,
    private readonly importing: OrderImport,
    private readonly transfers: OrderTransferJobs,
    private readonly shown: ShownJobs,
  ) {}

  async previewExport(wanted: WantedExport, caller: Caller): Promise<JobPreview> {
    const total = await this.exporting.count(this.checked(wanted, caller));
    return previewOf(onlyTotal(total), isInClear(wanted, caller));
  }

  /** What approving an export or an import would do now. */
  async previewOf({ id, kind }: JobRow): Promise<JobPreview> {
    if (kind === 'export_orders') {
      const { where, ids, access } = await this.transfers.requestOf(id);
      return previewOf(onlyTotal(await this.exporting.count({ selection: { where, ids }, access })), true);
    }
    const upload = await this.transfers.uploadOf(id);
    if (!upload) throw HttpError.with(40902, 'the upload has not ended');
    return await this.previewImport(upload);
  }

  async beginExport(wanted: WantedExport, caller: Caller): Promise<Job> {
    const { selection, access } = this.checked(wanted, caller);
    const total = await this.exporting.count({ selection, access });
    const { where, ids, event_id } = wanted;
    const shownSelection = {
      ...(where && { where: asksForBuyer(where) ? null : where }),
      ...(ids && { ids: ids.length }),
      ...(event_id !== undefined && { event_id }),
    };
    const inClear = isInClear(wanted, caller);
    const job = { selection, access, inClear, shownSelection, requestedBy: caller.actor };
    return await this.shown.job(
      await this.transfers.beginExport({ arguments: wanted.arguments, ...job }, total),
      caller,
    );
  }

  async previewImport(upload: AsyncIterable<Uint8Array>): Promise<JobPreview> {
    const splitter = orderLineSplitter();
    const found = { total: 0, refused: 0, unchanged: 0, sample: [] as JobResult[], errors: [] as LineError[] };
    let batch: TextRecord[] = [];
    const judge = async () => {
      const client = await this.pool.connect();
      try {
        for (const { line, order_id: orderId, outcome, reason } of await this.importing.preview(client, batch)) {
          found.total += 1;
          if (outcome === 'refused') found.refused += 1;
          if (outcome === 'unchanged') found.unchanged += 1;
          if (reason !== undefined && found.errors.length < MOST_ERRORS) {
            found.errors.push({ line, order_id: orderId, message: reason });
          }
          const result = {
            order_id: orderId ?? '',
            outcome,
            ...(reason !== undefined && { reason: `line ${line}: ${reason}` }),
          };
          // Refused ones are shown first.
          if (outcome === 'refused') found.sample.unshift(result);
          else found.sample.push(result);
          found.sample.length = Math.min(found.sample.length, SHOWN);
        }
      } finally {
        client.release();
      }
      batch = [];
    };
    for await (const chunk of upload) {
      for (const record of splitter.split(chunk)) {
        if (batch.push(record) === BATCH_LINES) await judge();
      }
    }
    batch.push(...splitter.end());
    await judge();
    return previewOf(found, true);
  }

  async beginImport(upload: AsyncIterable<Uint8Array>, caller: Caller): Promise<Job> {
    return await this.shown.job(await this.transfers.beginImport(upload, caller.actor), caller);
  }

  private checked({ where, ids, event_id }: WantedExport, caller: Caller) {
    if (!caller.permissions.includes('orders:read')) throw HttpError.with(40300, 'orders:read');
    const access = accessOf(caller);
    if (asksForBuyer(where) && !access.buyers) throw HttpError.with(40300, 'orders:act');
    const ofShow = event_id === undefined ? undefined : ({ field: 'event_id', op: '=', value: event_id } as const);
    return { selection: { where: where ?? ofShow, ids }, access };
  }
}

/** A person's file is masked: people reveal order by order. */
export function isInClear({ arguments: given }: WantedExport, caller: Caller): boolean {
  return readsPersonalData(caller) && hasBuyers(given);
}

const onlyTotal = (total: number): Found => ({ total, refused: 0, unchanged: 0, sample: [] });

type LineError = NonNullable<JobPreview['errors']>[number];
type Found = Pick<JobPreview, 'total' | 'refused' | 'unchanged' | 'sample' | 'errors'>;

function previewOf({ total, refused, unchanged, ...lists }: Found, needsApproval: boolean): JobPreview {
  return {
    total,
    allowed: total - refused - unchanged,
    unchanged,
    refused,
    effects: NO_EFFECTS,
    amount_returned: 0,
    tickets_returned: 0,
    needs_approval: needsApproval,
    ...lists,
  };
}
