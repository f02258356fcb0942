import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BulkOutcome } from '../api/bulk.js';
import type { OrderCondition } from '../api/orders.js';
import { may, sessionQuery } from '../api/session.js';
import { lazyPart } from '../frame/lazy-part.js';
import { type SelectionAct, SelectionBar, type SelectionNews } from '../frame/selection-bar.js';
import { selectionWords as words } from '../words/order-selection.js';

const SelectionDialog = lazyPart(async () => (await import('./selection-dialog.js')).SelectionDialog);

const SelectedMacroDialog = lazyPart(
  async () => (await import('../macros/selected-macro-dialog.js')).SelectedMacroDialog,
);

const BulkChangeDialog = lazyPart(async () => (await import('./bulk-change-dialog.js')).BulkChangeDialog);

type Props = Readonly<{
  /** The list answers an earlier question. */
  isOff: boolean;
  ids: readonly string[];
  onSelect: (ids: ReadonlySet<string>) => void;
  /** The condition of the list, if it has orders that are not loaded. */
  unloaded?: OrderCondition | undefined;
}>;

/** What can be done with the selected orders. */
export function OrderSelection({ isOff, ids, onSelect, unloaded }: Props) {
  const { data: session } = useQuery(sessionQuery);
  const [asked, setAsked] = useState<'tag' | 'assign' | 'macro' | 'change' | 'change_all' | null>(null);
  const [news, setNews] = useState<SelectionNews | null>(null);
  const isBroker = session?.operator.roles.every((role) => role === 'broker') ?? true;
  const mayAct = may(session, 'orders:act') && !isBroker;
  const mayRun = may(session, 'runs:act');
  const copy = () =>
    void navigator.clipboard.writeText(ids.join('\n')).then(() => setNews({ text: words.copied(ids.length) }));
  const end = ({ done, unchanged, failed, undo }: BulkOutcome) => {
    setAsked(null);
    // What failed stays selected, to try again.
    onSelect(new Set(failed.map(({ id }) => id)));
    const changed = done.length - unchanged;
    const text = words.outcome(changed, unchanged, failed.length);
    setNews({ text, ...(changed > 0 && undo && { undo: () => void takeBack(undo) }) });
  };
  const takeBack = async (undo: () => Promise<void>) => {
    setNews({ text: words.undoing });
    await undo();
    setNews({ text: words.undone });
  };
  const acts: readonly SelectionAct[] = [
    { text: words.copyIds, act: copy },
    ...(mayAct
      ? [
          { text: words.tag, act: () => setAsked('tag'), shortcut: 't' },
          { text: words.assign, act: () => setAsked('assign'), shortcut: 'i' },
        ]
      : []),
    ...(may(session, 'orders:act') ? [{ text: words.macro, act: () => setAsked('macro'), shortcut: 'm' }] : []),
    ...(mayRun ? [{ text: words.change, act: () => setAsked('change') }] : []),
    ...(mayRun && unloaded ? [{ text: words.changeAll, act: () => setAsked('change_all') }] : []),
  ];
  return (
    <>
      <SelectionBar
        count={ids.length}
        isOff={isOff}
        acts={acts}
        news={news}
        onClear={() => {
          onSelect(new Set());
          setNews(null);
        }}
      />
      {asked === 'change' && <BulkChangeDialog of={{ ids }} onClose={() => setAsked(null)} />}
      {asked === 'change_all' && unloaded && (
        <BulkChangeDialog of={{ where: unloaded }} onClose={() => setAsked(null)} />
      )}
      {asked === 'macro' && <SelectedMacroDialog ids={ids} onEnd={end} onClose={() => setAsked(null)} />}
      {(asked === 'tag' || asked === 'assign') && (
        <SelectionDialog asked={asked} ids={ids} onEnd={end} onClose={() => setAsked(null)} />
      )}
    </>
  );
}
