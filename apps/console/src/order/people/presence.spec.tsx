// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { serve } from '../../../test/server.js';
import { shown } from '../../../test/shown.js';
import { Presence } from './presence.js';
import { peopleWords } from './people-words.js';

const named = (...names: readonly string[]) => names.map((name, index) => ({ operator_id: `opr_${index}`, name }));

describe('who is here', () => {
  it.each([
    [named('Grace Hopper'), 0, 'Grace H. is here'],
    [named('Grace Hopper', 'Cher'), 0, 'Grace H. and Cher are here'],
    [[], 2, 'Staff is here'],
    [named('Grace Hopper'), 1, 'Grace H. and staff are here'],
  ])('%j and %i of staff: %s', async (people, unnamed_staff, text) => {
    serve({ 'GET orders/ord_1/presence': { people, unnamed_staff } });
    shown(<Presence orderId="ord_1" />);
    expect((await screen.findByText(text)).getAttribute('role')).toBe('status');
  });

  it('says nothing to somebody who is alone', () => {
    serve({ 'GET orders/ord_1/presence': { people: [], unnamed_staff: 0 } });
    shown(<Presence orderId="ord_1" />);
    expect(screen.getByRole('status').textContent).toBe('');
    expect(peopleWords.here(['A B C'], false)).toBe('A C. is here');
  });
});
