import type { EnteredBarcode } from '../../api/seat-delivery.js';
import { deliveryWords } from './delivery-words.js';

const words = deliveryWords.barcodes;
/** What scanners print and read. */
const ASCII = /^[\x20-\x7e]+$/;

/** What somebody typed for one seat. `reason` is only asked for in place of a refused barcode. */
export type TypedBarcode = Readonly<{ barcode: string; reason: string }>;
export const NOTHING_TYPED: TypedBarcode = { barcode: '', reason: '' };

type Asked = Readonly<{ seat: string; barcode: 'none' | 'given' | 'refused' }>;

/** What can be sent: the seats for which somebody typed something. */
export function typedBarcodes(
  seats: readonly Asked[],
  typed: Readonly<Record<string, TypedBarcode>>,
): EnteredBarcode[] {
  return seats.flatMap(({ seat, barcode: before }) => {
    const barcode = (typed[seat]?.barcode ?? '').trim();
    const reason = (typed[seat]?.reason ?? '').trim();
    if (barcode === '' && reason === '') return [];
    return [{ seat, barcode, reason: before === 'refused' ? reason : undefined }];
  });
}

/** What is wrong, by seat, beside the field that it is about. Empty if all can be sent. */
export function barcodeFaults(entered: readonly EnteredBarcode[]): Record<string, Partial<TypedBarcode>> {
  const faults = entered.map(({ seat, barcode, reason }): [string, Partial<TypedBarcode>] => {
    const isTwice = entered.some((other) => other.seat !== seat && other.barcode === barcode);
    const wrong =
      barcode === '' ? words.nothing : !ASCII.test(barcode) ? words.wrong : isTwice ? words.twice : undefined;
    return [seat, { ...(wrong !== undefined && { barcode: wrong }), ...(reason === '' && { reason: words.noReason }) }];
  });
  return Object.fromEntries(faults.filter(([, fault]) => Object.keys(fault).length > 0));
}
