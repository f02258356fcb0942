// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { refusal, serve } from '../../test/server.js';
import { shown } from '../../test/shown.js';
import { readers } from '../words/readers.js';
import { NoteForm } from './note-form.js';
import { orderWords as words } from './order-words.js';
import { peopleWords } from './people/people-words.js';
import { mentionAt, namedLike } from './people/use-mentions.js';

const PEOPLE = [
  { operator_id: 'opr_2', name: 'Grace Hopper', is_broker: false },
  { operator_id: 'opr_3', name: 'Greta Garbo', is_broker: false },
  { operator_id: 'opr_4', name: 'Gregor Broker', is_broker: true },
];
const NOTE = { id: 'not_1', at: '', author: '', author_name: null, visibility: 'internal', text: '', mentions: [] };

function form(hasChoice = true, answer: unknown = NOTE) {
  const asked = serve({ 'GET orders/ord_1/people': { people: PEOPLE }, 'POST orders/ord_1/notes': answer });
  shown(<NoteForm orderId="ord_1" hasChoice={hasChoice} open onOpen={() => undefined} isPast={false} />);
  return () => asked.filter(({ route }) => route.startsWith('POST')).map(({ body }) => body);
}
const box = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: words.note });
function type(text: string) {
  fireEvent.change(box(), { target: { value: text, selectionStart: text.length, selectionEnd: text.length } });
}
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent?.trim());
const save = () => fireEvent.click(screen.getByRole('button', { name: words.saveNote }));

describe('a note', () => {
  it('offers people behind an @, by keys, and sends whom it mentions', async () => {
    const sent = form();
    type('Please @gr');
    await waitFor(() => expect(options()).toEqual(['Grace Hopper', 'Greta Garbo']));
    const active = () =>
      document.getElementById(box().getAttribute('aria-activedescendant') ?? '')?.textContent?.trim();
    expect(active()).toBe('Grace Hopper');
    fireEvent.keyDown(box(), { key: 'ArrowDown' });
    expect(active()).toBe('Greta Garbo');
    fireEvent.keyDown(box(), { key: 'ArrowDown' });
    fireEvent.keyDown(box(), { key: 'Enter' });
    expect([box().value, options()]).toEqual(['Please @Grace Hopper ', []]);
    type('Please @Grace Hopper call @greta');
    await waitFor(() => expect(options()).toEqual(['Greta Garbo']));
    fireEvent.mouseDown(screen.getByRole('option'));
    type('Please @Grace Hopper call.');
    save();
    await waitFor(() =>
      expect(sent()).toEqual([{ text: 'Please @Grace Hopper call.', visibility: 'internal', mentions: ['opr_2'] }]),
    );
  });

  it('offers brokers only once they read it, and says who reads it', async () => {
    form();
    expect(screen.getByText(new RegExp(readers.staff))).toBeTruthy();
    fireEvent.click(screen.getByRole('checkbox', { name: words.notePartner }));
    expect(screen.getByText(new RegExp(readers.sellerAndStaff))).toBeTruthy();
    type('@greg');
    await waitFor(() => expect(options()).toEqual([`Gregor Broker ${peopleWords.broker}`]));
    fireEvent.keyDown(box(), { key: 'Escape' });
    expect(options()).toEqual([]);
  });

  it('of a broker says that the seller and staff read it', () => {
    form(false);
    expect(screen.getByText(new RegExp(readers.sellerAndStaff))).toBeTruthy();
  });

  it('stays in its field if somebody may not read it', async () => {
    form(true, refusal(400, 40001, 'mentions[0]: reads no internal notes'));
    type('Hello');
    save();
    await screen.findByRole('alert');
    expect(box().value).toBe('Hello');
  });
});

describe('a mention', () => {
  it.each([
    ['@gr', 3, 'gr'],
    ['to @grace ho', 12, 'grace ho'],
    ['(@', 2, ''],
    ['ada@example.com', 15, undefined],
    ['@grace hopper said', 18, undefined],
    ['@gr and more', 3, 'gr'],
  ])('in %j before place %i is %j', (text, caret, name) => {
    expect(mentionAt(text, caret)?.name).toBe(name);
  });

  it('is found by the beginning of any part of a name', () => {
    expect(namedLike(PEOPLE, 'ho').map(({ name }) => name)).toEqual(['Grace Hopper']);
    expect(namedLike(PEOPLE, 'grace h').map(({ name }) => name)).toEqual(['Grace Hopper']);
    expect(namedLike(PEOPLE, 'race')).toEqual([]);
  });
});
