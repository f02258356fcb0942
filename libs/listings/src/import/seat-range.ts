const SEAT = /^(\D*)(\d{1,6})$/;
const MOST_SEATS = 1_000;

/**
 * The seats from the first to the last: `A5` and `A8` are A5, A6, A7, A8; with half as many tickets they are every second one. None for
 * places without numbers, such as GA. A string says what is wrong.
 *
 * @param quantity undefined if nobody says how many tickets there are
 */
export function seatRange(from: string, thru: string, quantity: number | undefined): readonly string[] | string {
  const [first, last] = [from || thru, thru || from];
  const [, row, low] = SEAT.exec(first) ?? [];
  const [, otherRow, high] = SEAT.exec(last) ?? [];
  if (first === '' || (low === undefined && first === last)) return [];
  const count = Number(high) - Number(low) + 1;
  if (low === undefined || row !== otherRow || !(count >= 1 && count <= MOST_SEATS)) {
    return `seat_from: from ${first} to ${last} is no range of seats`;
  }
  const step = quantity !== undefined && quantity > 1 && count === 2 * quantity - 1 ? 2 : 1;
  const seats = Array.from(
    { length: Math.ceil(count / step) },
    (_, index) => `${row}${String(Number(low) + index * step).padStart(low.length, '0')}`,
  );
  if (quantity === undefined || seats.length === quantity) return seats;
  return `seat_from: from ${first} to ${last} are ${count} seats, and quantity says ${quantity}`;
}
