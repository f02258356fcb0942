import { expect, it } from 'vitest';
import { nameKey } from '#discovery/tokenizer';
import { offsetAt, type Show, showOf } from './show-finder.js';

const NOWHERE = { time_zone: null, lat: null, lon: null };

function show(id: string, title: string, change: Partial<Show> & { performer?: string } = {}): Show {
  const { performer = 'Somebody', ...other } = change;
  const names = [[nameKey(title)], [nameKey(performer)]];
  return {
    id,
    title,
    day: '2026-11-27',
    time: '20:00:00',
    venue: 'The Hall',
    offset: -300,
    place: NOWHERE,
    names,
    ...other,
  };
}

const wanted = { event: 'Sigur Rós: Live!', venue: 'the HALL', day: '2026-11-27', time: undefined };
const live = show('1', 'Sigur Ros Live');

it('finds a show by its folded title and venue, or by a performer', () => {
  expect(showOf(wanted, [show('2', 'Sigur Ros'), live])).toBe(live);
  expect(showOf({ ...wanted, venue: '' }, [live])).toBe(live);
  const tour = show('3', 'An Evening', { performer: 'Sigur Rós' });
  expect(showOf({ ...wanted, event: 'sigur ros' }, [live, tour])).toBe(tour);
});

it('chooses by the time between several only', () => {
  const matinee = show('4', 'Sigur Ros Live', { time: '14:00:00' });
  expect(showOf({ ...wanted, time: '14:00:00' }, [live, matinee])).toBe(matinee);
  expect(showOf({ ...wanted, time: '19:00:00' }, [live])).toBe(live);
  expect(showOf(wanted, [live, matinee])).toBe(
    'event: several shows of the catalogue are "Sigur Rós: Live!" at "the HALL" on 2026-11-27: 1 Sigur Ros Live, 20:00, The Hall; 4 Sigur Ros Live, 14:00, The Hall',
  );
});

it('names what comes near if there is none', () => {
  const none = 'event: no show of the catalogue is "Sigur Rós: Live!" at "the HALL" on 2026-11-27';
  expect(showOf(wanted, [show('5', 'Other')])).toBe(none);
  expect(showOf(wanted, [show('6', 'Sigur Ros Live', { venue: 'Arena' })])).toBe(
    `${none}; that day there are 6 Sigur Ros Live, 20:00, Arena`,
  );
});

it('takes a time by the clock of the venue, also on the other side of a change of the clocks', async () => {
  const place = { ...NOWHERE, time_zone: 'America/New_York' };
  expect(await offsetAt({ ...live, place }, '2026-10-20T20:00:00')).toBe(-240);
  expect(await offsetAt({ ...live, place }, '2026-11-20T20:00:00')).toBe(-300);
  expect(await offsetAt(live, '2026-10-20T20:00:00')).toBe(-300);
});
