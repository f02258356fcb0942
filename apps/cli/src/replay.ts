import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import type { Pool } from 'pg';
import { SystemClock } from '#runtime/clock';
import { TimeOrderedIds } from '#runtime/ids';
import { describeIssues } from '#contracts/issues';
import { NewReplay } from '#contracts/backoffice/replay';
import { STATUS_VALUES } from '#domain/status';
import type { Replay } from '#contracts/backoffice/replay';
import { MOST_ITEMS, type ReplayError, Replays } from '#pings/repair/replays';
import { untilInterrupted } from './interruption.js';
import { pointInTime } from './point-in-time.js';
import { count, ProgressLine } from './progress-line.js';
import { safeJson, visible } from './text-table.js';
import { UserError } from './user-error.js';
import { wholeNumber } from './whole-number.js';
import { poolFor, type UsePool } from './with-pool.js';

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

const MOST_LISTED = 1_000;
const LOOK_EVERY_MS = 250;

/** `replay start|list|show|pause|resume|cancel`: what is sent again, at a bounded rate. The worker sends it. */
export function replayCommand(use: UsePool = poolFor('replay')): Command {
  return new Command('replay')
    .description('sends again, at a bounded rate, to the platform or to one webhook; the worker does it')
    .addCommand(startCommand(use))
    .addCommand(listCommand(use))
    .addCommand(showCommand(use))
    .addCommand(changeCommand(use, 'pause', 'sends nothing more of it for now'))
    .addCommand(changeCommand(use, 'resume', 'goes on with one that is paused'))
    .addCommand(changeCommand(use, 'cancel', 'sends nothing more of it, for good'));
}

function startCommand(use: UsePool): Command {
  return new Command('start')
    .description('sends again what fits all that is given, of the ping stream, in its order')
    .option('--endpoint <endpoint>', 'platform, or the id of a webhook', 'platform')
    .option('--order <id...>', 'of these orders')
    .option('--id <id...>', 'these pings')
    .option('--status <status...>', STATUS_VALUES.join(', '))
    .option(
      '--since <time>',
      'what happened then or later, e.g. 2026-11-21T12:00:00Z; a day begins at midnight UTC',
      pointInTime('--since'),
    )
    .option('--until <time>', 'what happened before', pointInTime('--until'))
    .option('--per-second <n>', 'most that are sent a second', wholeNumber(1, 10_000), 100)
    .option('--dry-run', 'only count, and name the first ten')
    .option('--follow', 'show how far it is until it is over')
    .option('--json', 'print JSON')
    .action(({ json, follow, ...options }: StartOptions) => {
      const { dry_run, endpoint, per_second, ...selection } = asked(options);
      const replay = { endpoint, per_second, selection };
      return use(async (pool) => {
        const replays = replaysOf(pool);
        if (dry_run) return printPreview(taken(await replays.preview(replay)), json);
        const started = taken(await replays.start(replay));
        print(follow ? await followed(replays, started) : started, json);
      });
    });
}

/** The options as a request of the back office: the same words are wrong in both. */
function asked({ endpoint, order, id, status, since, until, perSecond, dryRun = false }: Omit<StartOptions, 'json'>) {
  const request = { endpoint, order_ids: order, ids: id, statuses: status, since, until, per_second: perSecond };
  const { data, error } = NewReplay.safeParse({ ...request, dry_run: dryRun });
  if (error) throw new UserError(describeIssues(error.issues));
  return data;
}

function listCommand(use: UsePool): Command {
  return new Command('list')
    .description('lists replays, newest first')
    .option('--limit <n>', 'how many', wholeNumber(1, MOST_LISTED), 20)
    .option('--json', 'print JSON')
    .action(async ({ limit, json }: Output & { limit: number }) => {
      const replays = await use((pool) => replaysOf(pool).list({ limit }));
      if (json) console.log(safeJson(replays));
      else console.log(replays.length === 0 ? 'There are no replays yet.' : replays.map(asText).join('\n'));
    });
}

function showCommand(use: UsePool): Command {
  return new Command('show')
    .description('shows how far a replay is')
    .argument('<replay id>', 'see list')
    .option('--follow', 'until it is over')
    .option('--json', 'print JSON')
    .action((id: string, { follow, json }: Output & { follow?: boolean }) => {
      return use(async (pool) => {
        const replay = known(await replaysOf(pool).find(id));
        print(follow ? await followed(replaysOf(pool), replay) : replay, json);
      });
    });
}

function changeCommand(use: UsePool, change: 'pause' | 'resume' | 'cancel', description: string): Command {
  return new Command(change)
    .description(description)
    .argument('<replay id>', 'see list')
    .option('--json', 'print JSON')
    .action(async (id: string, { json }: Output) => {
      print(known(await use((pool) => replaysOf(pool)[change](id))), json);
    });
}

/** Until it is over, or held by somebody, or the person has seen enough: the worker goes on without one who looks. */
async function followed(replays: Replays, started: Replay): Promise<Replay> {
  const progress = new ProgressLine();
  let replay = started;
  await untilInterrupted(async (interrupted) => {
    while (replay.state === 'running' && !interrupted.aborted) {
      progress.show(bar(replay));
      await pause(LOOK_EVERY_MS, undefined, { signal: interrupted }).catch(() => undefined);
      replay = known(await replays.find(replay.id));
    }
  }).finally(() => progress.clear());
  if (replay.state === 'running') {
    const look = `willcall replay show ${replay.id} --follow`;
    console.error(`The replay goes on. To look again: ${look}. To end it: willcall replay cancel ${replay.id}`);
  }
  return replay;
}

const BAR_WIDTH = 20;

function bar({ id, sent, total, per_second }: Replay): string {
  const share = sent / Math.max(total, 1);
  const drawn = '█'.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH, '░');
  return `${id} ${drawn} ${count(sent)} of ${count(total)} sent, at most ${count(per_second)} a second`;
}

function replaysOf(pool: Pool): Replays {
  return new Replays(pool, new SystemClock(), new TimeOrderedIds());
}

function known(replay: Replay | undefined): Replay {
  if (!replay) throw new UserError('There is no replay of this id.');
  return replay;
}

function taken<T extends object>(result: T | ReplayError): T {
  if (!('refused' in result)) return result;
  if (result.refused === 'UNKNOWN_ENDPOINT') throw new UserError('There is no webhook of this id.');
  throw new UserError(`At most ${count(MOST_ITEMS)} can be sent again at once: choose a shorter time.`);
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
