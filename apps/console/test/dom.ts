import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

// What jsdom lacks, for the specs of the console. They import this before any page.

/** A wide window in light. */
window.matchMedia ??= (media) =>
  Object.assign(new EventTarget(), {
    media,
    matches: false,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });

globalThis.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};

Object.assign(Element.prototype, { scrollIntoView: () => undefined });

afterEach(cleanup);
