/** Gives the window of jsdom what it lacks: it is wide, in light, and without layout. Specs import this file before any page. */
export function furnishWindow(): void {
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
}

furnishWindow();
