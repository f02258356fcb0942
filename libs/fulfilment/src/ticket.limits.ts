/** Characters that scanners print and read. */
export const LONGEST_BARCODE = 128;
/** Characters. */
export const LONGEST_SEAT = 50;
/** Characters of the reason why a seat gets another barcode. */
export const LONGEST_BARCODE_REASON = 500;
