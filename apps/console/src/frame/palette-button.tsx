import { paletteWords as words } from './palette-words.js';
import { PALETTE_KEY } from './shortcut-names.js';
import { SearchIcon } from './icons.js';

let listener: (() => void) | undefined;

/** Calls the listener when somebody presses the button. */
export function onPaletteAsked(asked: () => void): () => void {
  listener = asked;
  return () => (listener = undefined);
}

/** Opens the palette for people who do not know its key yet. */
export function PaletteButton() {
  return (
    <button type="button" className="palette-button" onClick={() => listener?.()} title={words.title}>
      <SearchIcon />
      <span className="label grow">{words.button}</span>
      <kbd className="label">{PALETTE_KEY}</kbd>
    </button>
  );
}
