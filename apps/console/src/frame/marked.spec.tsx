// @vitest-environment jsdom
import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { furnishWindow } from '../../test/dom.js';
import { Marked } from './marked.js';

describe('a marked text', () => {
  it.each([
    ['Ada Lovelace', ['Lovelace'], 'Ada <mark>Lovelace</mark>'],
    ['ada.l••@example.com', ['ada.l'], '<mark>ada.l</mark>••@example.com'],
    ['Beyoncé Live', ['live', 'beyoncé'], '<mark>Beyoncé</mark> <mark>Live</mark>'],
    ['aab', ['a', 'aa'], '<mark>aa</mark>b'],
    ['Ada', ['Grace', ''], 'Ada'],
  ])('%j has %j as %s', (text, parts, expected) => {
    furnishWindow();
    expect(render(<Marked text={text} parts={parts} />).container.innerHTML).toBe(expected);
  });
});
