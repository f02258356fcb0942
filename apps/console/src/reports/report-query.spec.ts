// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import * as contract from '#desk/report.contract';
import { reportIn } from './report-query.js';

const SCHEMAS = {
  orders: contract.OrdersReport,
  money: contract.MoneyReport,
  refusals: contract.RefusalsReport,
  times: contract.TimesReport,
  sellers: contract.SellersReport,
} satisfies Record<contract.ReportName, unknown>;

describe('the answer to a report', () => {
  it.each(contract.REPORTS)('is taken for %s only if that was asked for', (name) => {
    const totals = Object.fromEntries(Object.keys(SCHEMAS[name].shape.totals.shape).map((figure) => [figure, 0]));
    const answer = SCHEMAS[name].parse({ rows: [], totals });
    for (const other of contract.REPORTS) {
      const read = () => reportIn(other, answer);
      if (other === name) expect(read()).toBe(answer);
      else expect(read).toThrow(other);
    }
  });
});
