import { describe, expect, it } from 'vitest';
import { EXPORT_COLUMNS } from '../order-export.contract.js';
import { auditedExport } from './audited-export.js';

const EXPORT = { kind: 'export_orders', dry_run: false } as const;

describe('the audit entry of an export', () => {
  it('names the condition, but no buyer', () => {
    const where = {
      and: [
        { field: 'seller', op: '=', value: 'Box office' },
        { not: { or: [{ field: 'email', op: 'in', value: ['ada@example.com'] }] } },
      ],
    } as const;
    expect(auditedExport({ ...EXPORT, where, arguments: { format: 'csv', columns: ['id', 'email'] } })).toEqual({
      format: 'csv',
      columns: ['id', 'email'],
      selection: {
        where: {
          and: [
            { field: 'seller', op: '=', value: 'Box office' },
            { not: { or: [{ field: 'email', op: 'in', value: '…' }] } },
          ],
        },
      },
    });
  });

  it('names the orders, or the show, and all columns where none were chosen', () => {
    const ids = Array.from({ length: 1_200 }, (_, index) => `ord_${index}`);
    expect(auditedExport({ ...EXPORT, ids, arguments: { format: 'ndjson' } })).toEqual({
      format: 'ndjson',
      columns: 'whole orders',
      selection: { ids: ids.slice(0, 1_000), ids_in_all: 1_200 },
    });
    const ofShow = auditedExport({ ...EXPORT, event_id: '7', arguments: { format: 'xlsx' } });
    expect(ofShow).toEqual({ format: 'xlsx', columns: EXPORT_COLUMNS, selection: { event_id: '7' } });
  });
});
