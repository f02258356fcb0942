/** Characters that scanners print and read. */
export const LONGEST_BARCODE = 128;
/** Characters. */
export const LONGEST_SEAT = 50;
