import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import type { Pool } from 'pg';
import { SystemClock } from '#base/clock';
import { TimeOrderedIds } from '#base/ids';
import { describeIssues } from '#web/issues.contract';
import { NewReplay } from '#outbound/replay.contract';
import { STATUS_VALUES } from '#domain/status';
import type { Replay } from '#outbound/replay.contract';
import { MAX_ITEMS, type ReplayError, Replays } from '#outbound/replays';
import { recordChange } from './audit.js';
import { untilInterrupted } from './terminal/interruption.js';
import { pointInTime } from './terminal/point-in-time.js';
import { count, ProgressLine } from './terminal/progress-line.js';
import { safeJson, visible } from './terminal/text-table.js';
import { UserError } from './terminal/user-error.js';
import { wholeNumber } from './terminal/whole-number.js';
import { poolFor, type UsePool } from './database/with-pool.js';

type Output = { json?: boolean };

type StartOptions = Output & {
  endpoint: string;
  order?: string[];
  id?: string[];
  status?: string[];
  since?: string;
  until?: string;
  perSecond: number;
  dryRun?: boolean;
  follow?: boolean;
};

const MAX_LISTED = 1_000;
const POLL_EVERY_MS = 250;

/** `replay start|list|show|pause|resume|cancel`: sends messages again, at a limited rate. The worker does the sending. */
export function replayCommand(use: UsePool = poolFor('replay')): Command {
  return new Command('replay')
    .description('sends messages again, at a limited rate, to the platform or to one webhook; the worker does it')
    .addCommand(startCommand(use))
    .addCommand(listCommand(use))
    .addCommand(showCommand(use))
    .addCommand(changeCommand(use, ['pause', 'paused'], 'pauses a replay'))
    .addCommand(changeCommand(use, ['resume', 'resumed'], 'continues a paused replay'))
    .addCommand(changeCommand(use, ['cancel', 'cancelled'], 'ends a replay for good'));
}

function startCommand(use: UsePool): Command {
  return new Command('start')
    .description('sends the entries of the ping stream that match all options again, in order')
    .option('--endpoint <endpoint>', 'platform, or the id of a webhook', 'platform')
    .option('--order <id...>', 'of these orders')
    .option('--id <id...>', 'these pings')
    .option('--status <status...>', STATUS_VALUES.join(', '))
    .option(
      '--since <time>',
      'from this time on, e.g. 2026-11-21T12:00:00Z; a day begins at midnight UTC',
      pointInTime('--since'),
    )
    .option('--until <time>', 'before this time', pointInTime('--until'))
    .option('--per-second <n>', 'the limit of messages a second', wholeNumber(1, 10_000), 100)
    .option('--dry-run', 'only count them, and list the first ten')
    .option('--follow', 'show the progress until it ends')
    .option('--json', 'print JSON')
    .action(({ json, follow, ...options }: StartOptions) => {
      const { dry_run, endpoint, per_second, ...selection } = requestOf(options);
      const replay = { endpoint, per_second, selection };
      return use(async (pool) => {
        const replays = createReplays(pool);
        if (dry_run) return printPreview(unwrap(await replays.preview(replay)), json);
        const started = unwrap(await replays.start(replay));
        await recordChange(pool, 'replay.started', `replay:${started.id}`);
        print(follow ? await followReplay(replays, started) : started, json);
      });
    });
}

/** Validates the options like a request of the back office. */
function requestOf({
  endpoint,
  order,
  id,
  status,
  since,
  until,
  perSecond,
  dryRun = false,
}: Omit<StartOptions, 'json'>) {
  const request = { endpoint, order_ids: order, ids: id, statuses: status, since, until, per_second: perSecond };
  const { data, error } = NewReplay.safeParse({ ...request, dry_run: dryRun });
  if (error) throw new UserError(describeIssues(error.issues));
  return data;
}

function listCommand(use: UsePool): Command {
  return new Command('list')
    .description('lists replays, newest first')
    .option('--limit <n>', 'the number of replays to show', wholeNumber(1, MAX_LISTED), 20)
    .option('--json', 'print JSON')
    .action(async ({ limit, json }: Output & { limit: number }) => {
      const replays = await use((pool) => createReplays(pool).list({ limit }));
      if (json) console.log(safeJson(replays));
      else console.log(replays.length === 0 ? 'There are no replays yet.' : replays.map(asText).join('\n'));
    });
}

function showCommand(use: UsePool): Command {
  return new Command('show')
    .description('shows the progress of a replay')
    .argument('<replay id>', 'see list')
    .option('--follow', 'until it ends')
    .option('--json', 'print JSON')
    .action((id: string, { follow, json }: Output & { follow?: boolean }) => {
      return use(async (pool) => {
        const replay = orNotFound(await createReplays(pool).find(id));
        print(follow ? await followReplay(createReplays(pool), replay) : replay, json);
      });
    });
}

type Change = readonly [change: 'pause' | 'resume' | 'cancel', done: string];

function changeCommand(use: UsePool, [change, done]: Change, description: string): Command {
  return new Command(change)
    .description(description)
    .argument('<replay id>', 'see list')
    .option('--json', 'print JSON')
    .action(async (id: string, { json }: Output) => {
      const replay = await use(async (pool) => {
        const replay = orNotFound(await createReplays(pool)[change](id));
        await recordChange(pool, `replay.${done}`, `replay:${id}`);
        return replay;
      });
      print(replay, json);
    });
}

/**
 * Shows the progress until the replay ends, somebody pauses it, or the user presses Ctrl-C. The worker continues without a viewer.
 */
async function followReplay(replays: Replays, started: Replay): Promise<Replay> {
  const progress = new ProgressLine();
  let replay = started;
  await untilInterrupted(async (interrupted) => {
    while (replay.state === 'running' && !interrupted.aborted) {
      progress.show(bar(replay));
      await pause(POLL_EVERY_MS, undefined, { signal: interrupted }).catch(() => undefined);
      replay = orNotFound(await replays.find(replay.id));
    }
  }).finally(() => progress.clear());
  if (replay.state === 'running') {
    const look = `willcall replay show ${replay.id} --follow`;
    console.error(`The replay continues. To follow it again: ${look}. To end it: willcall replay cancel ${replay.id}`);
  }
  return replay;
}

const BAR_WIDTH = 20;

function bar({ id, sent, total, per_second }: Replay): string {
  const share = sent / Math.max(total, 1);
  const drawn = '█'.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH, '░');
  return `${id} ${drawn} ${count(sent)} of ${count(total)} sent, at most ${count(per_second)} a second`;
}

function createReplays(pool: Pool): Replays {
  return new Replays(pool, new SystemClock(), new TimeOrderedIds());
}

function orNotFound(replay: Replay | undefined): Replay {
  if (!replay) throw new UserError('There is no replay of this id.');
  return replay;
}

function unwrap<T extends object>(result: T | ReplayError): T {
  if (!('error' in result)) return result;
  if (result.error === 'UNKNOWN_ENDPOINT') throw new UserError('There is no webhook of this id.');
  throw new UserError(`At most ${count(MAX_ITEMS)} can be sent again at once: choose a shorter time.`);
}

function printPreview({ total, ids }: { total: number; ids: readonly string[] }, json?: boolean): void {
  if (json) return console.log(safeJson({ dry_run: true, total, ids }));
  const more = total > ids.length ? [`and ${count(total - ids.length)} more`] : [];
  console.log([...ids, ...more, `${count(total)} would be sent again.`].join('\n'));
}

function print(replay: Replay, json?: boolean): void {
  console.log(json ? safeJson(replay) : asText(replay));
}

function asText({ id, endpoint, state, sent, total, per_second, created_at }: Replay): string {
  const rate = `at most ${count(per_second)} a second`;
  return `${id}  ${visible(endpoint)}  ${state}, ${count(sent)} of ${count(total)} sent, ${rate}, begun ${created_at}`;
}
