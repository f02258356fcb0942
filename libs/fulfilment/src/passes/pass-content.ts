/** What a pass says. Null: unknown. */
export type PassFacts = Readonly<{
  title: string | null;
  venue: string | null;
  section: string | null;
  row: string | null;
  seat: string;
  orderId: string;
  /** ISO 8601 with the offset of the venue's time zone. Null: to be announced. */
  starts: string | null;
  /** Whether more than the date of `starts` is known. */
  hasTime: boolean;
  /** Null: the pass is void, and shows none. */
  barcode: string | null;
}>;

/** Who issues a pass, and how a phone asks for the newest one. */
export type PassIdentity = Readonly<{
  passTypeIdentifier: string;
  teamIdentifier: string;
  organizationName: string;
  serialNumber: string;
  authenticationToken: string;
  webServiceURL?: string;
}>;

/** The `pass.json` of a ticket. The same ticket gives the same one. */
export function passContent(identity: PassIdentity, facts: PassFacts) {
  const { title, venue, section, row, seat, orderId, starts, hasTime, barcode } = facts;
  const event = title ?? 'Ticket';
  return {
    formatVersion: 1,
    ...identity,
    description: `${event}, seat ${seat}`,
    foregroundColor: 'rgb(255, 255, 255)',
    labelColor: 'rgb(213, 222, 255)',
    backgroundColor: 'rgb(42, 79, 208)',
    ...(starts !== null && { relevantDate: starts }),
    ...(barcode === null ? { voided: true } : { barcodes: [qrCode(barcode)] }),
    eventTicket: {
      primaryFields: [{ key: 'event', label: 'EVENT', value: event }],
      secondaryFields: [...fields({ venue }), dateField(starts, hasTime)],
      auxiliaryFields: fields({ section, row, seat }),
      backFields: [{ key: 'order', label: 'Order', value: orderId }],
    },
  };
}
export type PassContent = ReturnType<typeof passContent>;

/** A local time with its offset from UTC, e.g. `2027-05-01T20:00:00-04:00`. @param local,utc the same moment, both without a zone */
export function zoned(local: string, utc: string): string {
  const minutes = Math.round((Date.parse(`${local}Z`) - Date.parse(`${utc}Z`)) / 60_000);
  const digits = (part: number) => String(part).padStart(2, '0');
  const offset = `${digits(Math.floor(Math.abs(minutes) / 60))}:${digits(Math.abs(minutes) % 60)}`;
  return `${local}${minutes < 0 ? '-' : '+'}${offset}`;
}

const qrCode = (barcode: string) => ({
  format: 'PKBarcodeFormatQR' as const,
  message: barcode,
  // A barcode is ASCII.
  messageEncoding: 'iso-8859-1',
  altText: barcode,
});

function dateField(starts: string | null, hasTime: boolean) {
  // A phone tells its owner when a field with such a message changes.
  const field = { key: 'date', label: 'DATE', changeMessage: 'The new date: %@' };
  if (starts === null) return { ...field, value: 'To be announced' };
  // Wherever the phone is, it shows the clock at the venue.
  const timeStyle = hasTime ? 'PKDateStyleShort' : 'PKDateStyleNone';
  const styles = { dateStyle: 'PKDateStyleMedium', timeStyle, ignoresTimeZone: true } as const;
  return { ...field, value: starts, ...styles };
}

const fields = (named: Readonly<Record<string, string | null>>) =>
  Object.entries(named).flatMap(([key, value]) => (value ? [{ key, label: key.toUpperCase(), value }] : []));
