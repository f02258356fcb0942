import { Button } from '@mantine/core';
import type { ProjectionList, RebuildableProjection } from '#upkeep/maintenance.contract';
import { type Asked, DataTable } from '../../frame/data-table.js';
import { Time } from '../../frame/time.js';
import { durationText } from '../../words/durations.js';
import { number, percent } from '../../words/formats.js';
import { wordFor } from '../../words/word-for.js';
import { projectionWords as words } from './projection-words.js';

type Projection = ProjectionList['projections'][number];

type Props = Readonly<{
  projections: readonly Projection[];
  query: Asked;
  /** A run is open, and there is one at a time. */
  isOff: boolean;
  /** Absent for those who may not rebuild. */
  onRebuild?: (projection: RebuildableProjection) => void;
}>;

export function ProjectionTable({ projections, query, isOff, onRebuild }: Props) {
  return (
    <DataTable
      label={words.title}
      rows={projections}
      keyOf={({ name }) => name}
      empty=""
      query={query}
      columns={[
        { id: 'name', name: words.column.name, cell: ({ name }) => nameOf(name) },
        { id: 'follows', name: words.column.follows, cell: ({ follows }) => words.follows[follows] },
        {
          id: 'position',
          name: words.column.position,
          end: true,
          cell: ({ position }) => (position === null ? words.none : number(position)),
        },
        { id: 'behind', name: words.column.behind, cell: (projection) => <Behind projection={projection} /> },
        {
          id: 'rebuilt',
          name: words.column.rebuilt,
          cell: ({ rebuilt_at: at, rebuildable }) =>
            at !== null ? <Time at={at} /> : rebuildable ? words.never : words.none,
        },
        {
          id: 'acts',
          name: '',
          end: true,
          cell: (projection) =>
            onRebuild &&
            isRebuildable(projection) && (
              <Button
                variant="default"
                size="compact-xs"
                disabled={isOff}
                aria-label={words.rebuildOf(nameOf(projection.name))}
                onClick={() => onRebuild(projection.name)}
              >
                {words.rebuild}
              </Button>
            ),
        },
      ]}
    />
  );
}

const isRebuildable = (projection: Projection): projection is Projection & { name: RebuildableProjection } =>
  projection.rebuildable;

const nameOf = (name: string) => wordFor(words.names, name) ?? name;

// A second or two behind is the usual way of following.
const LATE_S = 10;

// The ledger chains a log of an earlier release from its beginning, which may take hours.
const CHAINS_OLD_LOG = 10_000;

function Behind({ projection }: Readonly<{ projection: Projection }>) {
  const { name, position, end, behind, behind_seconds: seconds } = projection;
  if (behind === null) return <span className="soft">{words.none}</span>;
  if (behind === 0) return <Dot tone="confirmed" text={words.upToDate} />;
  if (name === 'order-search') return <Dot tone="pending" text={words.ordersLeft(number(behind))} />;
  if (name === 'ledger' && behind >= CHAINS_OLD_LOG) {
    return <Dot tone="pending" text={words.chained(percent((position ?? 0) / (end ?? 1)), number(behind))} />;
  }
  const tone = (seconds ?? 0) > LATE_S ? 'exception' : 'pending';
  return <Dot tone={tone} text={words.behind(number(behind), durationText(seconds ?? 0))} />;
}

function Dot({ tone, text }: Readonly<{ tone: string; text: string }>) {
  return (
    <span className={`status ${tone}`}>
      <span>{text}</span>
    </span>
  );
}
