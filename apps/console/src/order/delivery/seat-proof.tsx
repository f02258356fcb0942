import { Button, FileButton } from '@mantine/core';
import type { Transfer } from '#orders/delivery.contract';
import { addProof, proofAddress } from '../../api/seat-delivery.js';
import { Failure } from '../../frame/failure.js';
import { NamedText } from '../../frame/named-text.js';
import { deliveryWords as words } from './delivery-words.js';
import { useSeatChange } from './use-seat-change.js';

type Props = Readonly<{ orderId: string; transfer: Transfer; mayAct: boolean; onDone: () => void }>;

/** The last proof of a transfer, and a button that stores one more beside it. */
export function SeatProof({ orderId, transfer: { id, seat, proof }, mayAct, onDone }: Props) {
  const add = useSeatChange(orderId, (file: File) => addProof(orderId, id, file), onDone);
  const name = proof && (proof.name ?? words.erased);
  return (
    <>
      <span className="row seat-proof">
        {name !== null &&
          (mayAct && proof?.name ? (
            <a className="in-text" href={proofAddress(orderId, id)} download={name} aria-label={words.download(name)}>
              {name}
            </a>
          ) : (
            <span>{name}</span>
          ))}
        {mayAct && (
          <FileButton accept=".pdf,.png,.jpg,.jpeg" onChange={(file) => file && add.mutate(file)}>
            {(props) => (
              <Button {...props} variant="default" size="compact-xs" loading={add.isPending}>
                <NamedText text={words.addProof} name={words.addProofOf(seat)} />
              </Button>
            )}
          </FileButton>
        )}
      </span>
      {add.error && <Failure error={add.error} />}
    </>
  );
}
