import { queryOptions } from '@tanstack/react-query';
import type { TransferStateChange } from '#fulfilment/transfer.contract';
import type { Call } from '../../../../types/backoffice-calls.js';
import { addressOf, ask } from './http.js';

/** Where tickets can be transferred, in the order of a choice. */
export const transferSourcesQuery = queryOptions({
  queryKey: ['transfer-sources'],
  queryFn: async ({ signal }) => (await ask('GET transfer-sources', { signal })).sources,
  staleTime: 60_000,
});

export const sendTransfers = (orderId: string, body: Call<'POST orders/{id}/transfers'>['body']) =>
  ask('POST orders/{id}/transfers', { path: { id: orderId }, body });

/** What became of transfers, by their ids. What was recorded before a failure may be sent again. */
export async function answerTransfers(
  orderId: string,
  answers: readonly (readonly [string, TransferStateChange['state']])[],
): Promise<void> {
  for (const [transferId, state] of answers) {
    await ask('POST orders/{id}/transfers/{transfer_id}/state', {
      path: { id: orderId, transfer_id: transferId },
      body: { state },
    });
  }
}

export function addProof(orderId: string, transferId: string, file: File) {
  const form = new FormData();
  form.append('file', file);
  return ask('POST orders/{id}/transfers/{transfer_id}/proof', {
    path: { id: orderId, transfer_id: transferId },
    form,
  });
}

/** Where a browser opens the last proof with the session of this page. */
export const proofAddress = (orderId: string, transferId: string): string =>
  addressOf('GET orders/{id}/transfers/{transfer_id}/proof', { path: { id: orderId, transfer_id: transferId } });

/** `reason`: why another barcode was refused. Undefined for a seat without one. */
export type EnteredBarcode = Readonly<{ seat: string; barcode: string; reason: string | undefined }>;

/** First barcodes, then those in place of refused ones. What was recorded before a failure may be sent again. */
export async function enterBarcodes(orderId: string, entered: readonly EnteredBarcode[]): Promise<void> {
  const barcodes = entered.flatMap(({ seat, barcode, reason }) => (reason === undefined ? [{ seat, barcode }] : []));
  if (barcodes.length > 0) await ask('POST orders/{id}/barcodes', { path: { id: orderId }, body: { barcodes } });
  for (const { seat, barcode, reason } of entered) {
    if (reason === undefined) continue;
    await ask('PUT orders/{id}/barcodes/{seat}', { path: { id: orderId, seat }, body: { barcode, reason } });
  }
}

/** Makes the label of the parcel. Later it is the same one. */
export const printLabel = (orderId: string) => ask('POST orders/{id}/label', { path: { id: orderId } });

/** Where a browser gets the label with the session of this page. */
export const labelAddress = (orderId: string): string => addressOf('GET orders/{id}/label', { path: { id: orderId } });
