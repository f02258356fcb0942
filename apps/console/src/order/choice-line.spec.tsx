// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { OrderChoice } from '#orders/choice.contract';
import { PAID } from '../../test/order.js';
import { serve } from '../../test/server.js';
import { shown } from '../../test/shown.js';
import { ChoiceLine } from './choice-line.js';
import { choiceWords as words } from './choice-words.js';

const UNTIL = '2099-12-05T18:00:00.000Z';
const URL = 'https://tickets.example/choices/ord_1.job_1.a';

afterEach(() => void vi.unstubAllGlobals());

function line(state: OrderChoice['state'] | null, { isPast = false, mayAct = true } = {}): void {
  const choice = state && { state, until: UNTIL };
  shown(<ChoiceLine order={{ ...PAID, choice }} isPast={isPast} />, mayAct ? ['orders:act'] : []);
}
const copyButton = () => screen.queryByRole('button', { name: words.copy });

describe('the choice of a buyer', () => {
  it('is not there if nobody was asked', () => {
    line(null);
    expect(screen.queryByText(/postponed/)).toBeNull();
  });

  it.each([
    ['open', true],
    ['lapsed', true],
    ['kept', false],
    ['refunded', false],
  ] as const)('%s is in one line', (state, hasTime) => {
    line(state);
    screen.getByText(words.state[state], { exact: false });
    expect(document.querySelector('time')?.dateTime).toBe(hasTime ? UNTIL : undefined);
    expect(copyButton() !== null).toBe(state === 'open');
  });

  it.each([{ isPast: true }, { mayAct: false }])('has no link with %j', (who) => {
    line('open', who);
    expect(copyButton()).toBeNull();
  });

  it.each([true, false])('has a link that is copied, or shown where the browser forbids it: %s', async (mayCopy) => {
    const copied = vi.fn(() => (mayCopy ? Promise.resolve() : Promise.reject(new Error('forbidden'))));
    vi.stubGlobal('navigator', { clipboard: { writeText: copied } });
    const asked = serve({ 'POST orders/ord_1/choice-link': { url: URL, expires_at: UNTIL } });
    line('open');
    fireEvent.click(copyButton() ?? document.body);
    if (mayCopy) await screen.findByText(words.copied);
    else expect((await screen.findByLabelText<HTMLInputElement>(words.link)).value).toBe(URL);
    expect(copied).toHaveBeenCalledWith(URL);
    expect(asked.map(({ route }) => route)).toEqual(['POST orders/ord_1/choice-link']);
  });
});
