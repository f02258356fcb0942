import './selection-bar.css';
import { Button } from '@mantine/core';
import { selection as words } from '../words/selection.js';
import { useShortcuts } from './use-shortcuts.js';

/** `shortcut` is a key that does the same. */
export type SelectionAct = Readonly<{ text: string; act: () => void; shortcut?: string }>;

/** What became of an act, and perhaps its way back. */
export type SelectionNews = Readonly<{ text: string; undo?: () => void }>;

type Props = Readonly<{
  /** How many are selected. */
  count: number;
  /** The list answers an earlier question. */
  isOff: boolean;
  acts: readonly SelectionAct[];
  news?: SelectionNews | null;
  /** Selects nothing, and forgets the news. */
  onClear: () => void;
}>;

/** What can be done with the selected rows of a list, and what became of it. */
export function SelectionBar({ count, isOff, acts, news = null, onClear }: Props) {
  const isOpen = count > 0 || news !== null;
  const withKeys =
    count > 0 && !isOff ? acts.flatMap(({ shortcut: key, act }) => (key ? [[key, act] as const] : [])) : [];
  useShortcuts({ ...Object.fromEntries(withKeys), ...(isOpen && { Escape: onClear }) });
  return (
    <div className={`selection${isOpen ? '' : ' visually-hidden'}`} role="status" inert={isOff}>
      {count > 0 && <span>{words.selected(count)}</span>}
      {count > 0 && acts.map((act) => <ActButton key={act.text} {...act} />)}
      {news && <span className={count > 0 ? 'soft' : ''}>{news.text}</span>}
      {count === 0 && news?.undo && (
        <Button variant="default" size="compact-sm" onClick={news.undo}>
          {words.undo}
        </Button>
      )}
      {isOpen && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={onClear}>
          {count > 0 ? words.clear : words.dismiss}
        </Button>
      )}
    </div>
  );
}

function ActButton({ text, act, shortcut }: SelectionAct) {
  return (
    <Button
      variant="default"
      size="compact-sm"
      onClick={act}
      rightSection={shortcut !== undefined && <kbd>{shortcut}</kbd>}
    >
      {text}
    </Button>
  );
}
