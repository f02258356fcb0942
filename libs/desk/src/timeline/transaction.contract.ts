import { z } from 'zod';
import { Ping } from '#outbound/ping.contract';

const request = z.object({
  at: z.iso.datetime(),
  method: z.string(),
  path: z.string().meta({ description: 'without the query' }),
  actor: z.string().meta({ description: '`platform:<client id>`, `operator:<id>` or `token:<id>`' }),
  status: z.int(),
  duration_ms: z.int(),
});

const event = z.object({
  order_id: z.string(),
  version: z.int(),
  at: z.iso.datetime(),
  type: z.string(),
  title: z.string(),
  actor: z.string(),
  detail: z.record(z.string(), z.unknown()),
});

/** What one request caused, or one step that Willcall took by itself. */
export const Transaction = z
  .object({
    request: request.nullable().meta({ description: 'null for a step of Willcall, and after REQUEST_LOG_DAYS' }),
    requests: z.array(request).meta({ description: 'all requests with this transaction id, oldest first' }),
    commands: z.array(
      z.object({ order_id: z.string(), actor: z.string(), at: z.iso.datetime(), versions: z.array(z.int()) }),
    ),
    events: z.array(event),
    payments: z.array(event).meta({ description: 'the events about money' }),
    pings: z.array(Ping),
  })
  .meta({ id: 'Transaction' });
export type Transaction = z.infer<typeof Transaction>;
