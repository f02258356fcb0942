import { parseJson } from '#base/json';
import { type Sealer, UnsealError } from '#base/sealing';
import { ticketLabelId } from './tickets.projection.js';

/** The name of a ticket file. `sealed`: its label, base64. Null if it was erased, or does not open. */
export function openedTicketName(
  sealer: Sealer,
  { id: orderId, key }: Readonly<{ id: string; key: Buffer | null }>,
  { id, sealed }: Readonly<{ id: string; sealed: string }>,
): string | null {
  if (!key) return null;
  try {
    const label = sealer.openNote(orderId, ticketLabelId(id), key, Buffer.from(sealed, 'base64'));
    return (parseJson(label) as Readonly<{ name: string }>).name;
  } catch (error) {
    if (error instanceof UnsealError) return null;
    throw error;
  }
}
