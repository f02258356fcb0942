import type { JobPreview } from '#desk/job.contract';
import { providerText } from '../order/payment-source.js';
import { orderTransferWords } from '../order-transfer/order-transfer-words.js';
import { money, nameOfDay, number } from '../words/formats.js';
import { bulkWords as words } from './job-words.js';

const isOrderTransferKind = (kind: string) => kind === 'export_orders' || kind === 'import_orders';

type Refunds = NonNullable<JobPreview['by_provider']>;

/** They leave the orders as they are, and tell the brokers. */
const NOTED_KINDS: readonly string[] = ['postpone_event', 'move_event'];

type Props = Readonly<{
  preview: JobPreview;
  kind: string;
  /** What somebody is asked about; without it, a new job is described. */
  asked?: 'approve' | 'undo';
}>;

/** What follows of a job, in sentences: how many orders change, who is told, and what is given back. */
export function WhatFollows({ preview, kind, asked }: Props) {
  const {
    refused,
    unchanged,
    effects,
    amount_returned: amount,
    tickets_returned: tickets,
    needs_approval: waits,
  } = preview;
  if (isOrderTransferKind(kind)) return <WhatIsMoved preview={preview} kind={kind} />;
  const isNoted = NOTED_KINDS.includes(kind);
  // Whoever decides must also know what does not happen.
  const saysNothing = asked !== undefined && !isNoted;
  const lines = [
    ...(isNoted
      ? [
          words.notes(effects.note, number(effects.note)),
          effects.choice > 0 ? words.asked(effects.choice, number(effects.choice)) : words.noMoney,
        ]
      : kind === 'refund'
        ? [words.refunds(effects.refund, number(effects.refund))]
        : [asked ? words.changed(preview, number) : words.changes(preview, number)]),
    unchanged > 0 && !isNoted ? words.unchanged(unchanged, number(unchanged)) : '',
    effects.ping > 0 ? words.pings(effects.ping, number(effects.ping)) : saysNothing ? words.nobodyTold : '',
    !isNoted && effects.note > 0 ? words.notes(effects.note, number(effects.note)) : '',
    amount > 0 ? words.returned(money(amount)) : saysNothing ? words.noMoneyBack : '',
    tickets > 0 ? words.tickets(tickets, number(tickets)) : '',
    waits && asked !== 'approve' ? words.approval : '',
  ].filter((line) => line !== '');
  return (
    <Lines
      lines={lines}
      refused={refused > 0 ? words.refused(refused, number(refused)) : undefined}
      preview={preview}
      {...(preview.by_provider && { refunds: preview.by_provider })}
    />
  );
}

/** The refunds by who makes them. A provider may take some days' payments back more slowly, or not at all. */
function ByProvider({ refunds }: Readonly<{ refunds: Refunds }>) {
  return (
    <ul className="soft small">
      {refunds.map(({ provider, day, count, amount: sum }) => (
        <li key={`${provider} ${day}`}>
          {words.byProvider(providerText(provider), nameOfDay(day), count, number(count), money(sum))}
        </li>
      ))}
    </ul>
  );
}

/** What an export or an import writes. */
function WhatIsMoved({ preview, kind }: Readonly<{ preview: JobPreview; kind: string }>) {
  const { total, allowed, refused } = preview;
  const lines =
    kind === 'export_orders'
      ? [words.exported(total, number(total))]
      : [orderTransferWords.preview(number(allowed), number(refused)), orderTransferWords.noPings];
  return <Lines lines={lines} preview={preview} />;
}

type LinesProps = Readonly<{
  lines: readonly string[];
  refunds?: Refunds;
  /** How many orders are refused, above the reasons. */
  refused?: string | undefined;
  preview: JobPreview;
}>;

function Lines({ lines, refunds = [], refused, preview }: LinesProps) {
  const reasons = [...new Set(preview.sample.flatMap(({ reason }) => reason ?? []))];
  return (
    <div className="stack-tight">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {refunds.length > 0 && <ByProvider refunds={refunds} />}
      {refused !== undefined && <p>{refused}</p>}
      {reasons.length > 0 && (
        <ul className="soft small">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
