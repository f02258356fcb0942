import { useState } from 'react';
import type { OrderDetail } from '#orders/order.contract';
import { ticketFileAddress } from '../../api/tickets.js';
import { DataTable } from '../../frame/data-table.js';
import { Time } from '../../frame/time.js';
import { deliveryWords as words } from './delivery-words.js';
import { SeatProof } from './seat-proof.js';
import { useSourceName } from './use-source-name.js';

const { column } = words;

type Seat = NonNullable<OrderDetail['delivery']['seats']>[number];
type Props = Readonly<{ orderId: string; seats: readonly Seat[]; mayAct: boolean }>;

/** One row a seat. A column is there if one of the seats has something in it. */
export function SeatTable({ orderId, seats, mayAct }: Props) {
  const sourceName = useSourceName();
  const [done, setDone] = useState('');
  const hasTransfer = seats.some(({ transfer }) => transfer !== null);
  const hasFile = seats.some(({ file }) => file !== null);
  return (
    <>
      <p role="status" className={done === '' ? 'visually-hidden' : 'small'}>
        {done}
      </p>
      <DataTable
        label={words.table}
        rows={seats}
        keyOf={({ seat }) => seat}
        empty={words.none}
        columns={[
          { id: 'seat', name: column.seat, cell: ({ seat }) => seat },
          { id: 'state', name: column.state, cell: (seat) => <State seat={seat} /> },
          ...(hasTransfer
            ? [
                {
                  id: 'source',
                  name: column.source,
                  cell: ({ transfer }: Seat) => transfer && sourceName(transfer.source),
                },
                { id: 'number', name: column.number, cell: ({ transfer }: Seat) => transfer?.confirmation_number },
              ]
            : []),
          ...(hasFile
            ? [
                {
                  id: 'file',
                  name: column.file,
                  cell: ({ file }: Seat) => file && <File orderId={orderId} file={file} mayOpen={mayAct} />,
                },
              ]
            : []),
          ...(hasTransfer
            ? [
                {
                  id: 'proof',
                  name: column.proof,
                  cell: ({ transfer }: Seat) =>
                    transfer && (
                      <SeatProof
                        orderId={orderId}
                        transfer={transfer}
                        mayAct={mayAct}
                        onDone={() => setDone(words.proofAdded(transfer.seat))}
                      />
                    ),
                },
              ]
            : []),
        ]}
      />
    </>
  );
}

function State({ seat: { transfer, barcode, file } }: Readonly<{ seat: Seat }>) {
  if (barcode === 'refused') return <span className="late">{words.refused}</span>;
  if (transfer) {
    const { state } = transfer;
    const at = transfer.accepted_at ?? transfer.declined_at ?? transfer.expired_at ?? transfer.sent_at;
    const isFailed = state === 'declined' || state === 'expired';
    return (
      <>
        <span className={isFailed ? 'late' : undefined}>{words.transferState[state]}</span>{' '}
        <span className="soft small">
          <Time at={at} />
        </span>
      </>
    );
  }
  if (barcode === 'given') return words.entered;
  return file === null ? <span className="soft">{words.notSent}</span> : words.fileAdded;
}

type FileProps = Readonly<{ orderId: string; file: NonNullable<Seat['file']>; mayOpen: boolean }>;

function File({ orderId, file, mayOpen }: FileProps) {
  const { id, name } = file;
  if (name === null) return words.erased;
  if (!mayOpen) return name;
  return (
    <a className="in-text" href={ticketFileAddress(orderId, { id })} download={name}>
      {name}
    </a>
  );
}
