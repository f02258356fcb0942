// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { serve } from '../../test/server.js';
import { shown } from '../../test/shown.js';
import { frame } from '../words/frame.js';
import { Bell } from './bell.js';

describe('the bell', () => {
  it.each([
    [0, ''],
    [2, '2'],
    [100, '99+'],
  ])('for %i notices that are not read shows %j', async (unread, text) => {
    const asked = serve({ 'GET inbox': { notices: [], unread, next_cursor: null } });
    shown(<Bell />);
    await waitFor(() => expect(asked).toHaveLength(1));
    const name = text === '' ? frame.notices : `${frame.notices} ${text} ${frame.unread}`;
    expect((await screen.findByRole('link', { name })).getAttribute('href')).toBe('/notices');
  });
});
