import type { Form } from './form.js';

/** Smaller than Stripe's, so that a few objects need several pages. */
const PAGE = 3;

type Listed = Readonly<{ id: string; created: number }>;

/** A page of a list, newest first. `all` is oldest first. */
export function listPage<T extends Listed>(form: Form, all: readonly T[], show: (each: T) => object): object {
  const { gte = 0, lt = Infinity } = form.fieldsOf('created');
  const fitting = all.filter(({ created }) => created >= Number(gte) && created < Number(lt)).toReversed();
  const before = form.text('ending_before');
  const after = form.text('starting_after');
  const at = (id: string) => fitting.findIndex((each) => each.id === id);
  const end = before === undefined ? fitting.length : at(before);
  const start = before === undefined ? (after === undefined ? 0 : at(after) + 1) : Math.max(0, end - PAGE);
  const page = fitting.slice(start, before === undefined ? start + PAGE : end);
  const hasMore = before === undefined ? start + PAGE < fitting.length : start > 0;
  return { object: 'list', url: '/v1/list', has_more: hasMore, data: page.map(show) };
}
