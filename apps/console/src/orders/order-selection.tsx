import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BulkOutcome } from '../api/bulk.js';
import type { OrderCondition } from '../api/orders.js';
import { may, sessionQuery } from '../api/session.js';
import { useShortcuts } from '../frame/use-shortcuts.js';
import { lazyPart } from '../frame/lazy-part.js';
import { selectionWords as words } from './selection-words.js';

const SelectionDialog = lazyPart(async () => (await import('./selection-dialog.js')).SelectionDialog);

const BulkChangeDialog = lazyPart(async () => (await import('./bulk-change-dialog.js')).BulkChangeDialog);

type Props = Readonly<{
  /** The list answers an earlier question. */
  isOff: boolean;
  selected: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
  /** The condition of the list, if it has orders that are not loaded. */
  unloaded: OrderCondition | undefined;
}>;

/** The actions for the selected orders, and their result. */
export function SelectionBar({ isOff, selected, onSelect, unloaded }: Props) {
  const { data: session } = useQuery(sessionQuery);
  const [asked, setAsked] = useState<'tag' | 'assign' | 'change' | 'change_all' | null>(null);
  const [news, setNews] = useState<Readonly<{ text: string; undo?: () => Promise<void> }> | null>(null);
  const isBroker = session?.operator.roles.every((role) => role === 'broker') ?? true;
  const mayAct = may(session, 'orders:act') && !isBroker;
  const mayRun = may(session, 'runs:act');
  const ids = [...selected];
  const ask = (what: 'tag' | 'assign') => () => {
    if (mayAct && ids.length > 0 && !isOff) setAsked(what);
  };
  useShortcuts({
    t: ask('tag'),
    i: ask('assign'),
    Escape: () => {
      onSelect(new Set());
      setNews(null);
    },
  });
  const copy = () =>
    void navigator.clipboard.writeText(ids.join('\n')).then(() => setNews({ text: words.copied(ids.length) }));
  const end = ({ done, unchanged, failed, undo }: BulkOutcome) => {
    setAsked(null);
    // What failed stays selected, to try again.
    onSelect(new Set(failed.map(({ id }) => id)));
    const changed = done.length - unchanged;
    setNews({ text: words.outcome(changed, unchanged, failed.length), ...(changed > 0 && { undo }) });
  };
  const takeBack = async (undo: () => Promise<void>) => {
    setNews({ text: words.undoing });
    await undo();
    setNews({ text: words.undone });
  };
  return (
    <>
      <div className={`selection${ids.length > 0 || news ? '' : ' visually-hidden'}`} role="status" inert={isOff}>
        {ids.length > 0 && <span>{words.selected(ids.length)}</span>}
        {ids.length === 0 && news && <span>{news.text}</span>}
        {ids.length === 0 && news?.undo && (
          <Button variant="default" size="compact-sm" onClick={() => news.undo && void takeBack(news.undo)}>
            {words.undo}
          </Button>
        )}
        {ids.length > 0 && (
          <SelectionActs
            onCopy={copy}
            {...(mayAct && { onTag: ask('tag'), onAssign: ask('assign') })}
            {...(mayRun && { onChange: () => setAsked('change') })}
            {...(mayRun && unloaded && { onChangeAll: () => setAsked('change_all') })}
          />
        )}
        {ids.length > 0 && news && <span className="soft">{news.text}</span>}
        {(ids.length > 0 || news) && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            onClick={() => {
              onSelect(new Set());
              setNews(null);
            }}
          >
            {ids.length > 0 ? words.clear : words.dismiss}
          </Button>
        )}
      </div>
      {asked === 'change' && <BulkChangeDialog of={{ ids }} onClose={() => setAsked(null)} />}
      {asked === 'change_all' && unloaded && (
        <BulkChangeDialog of={{ where: unloaded }} onClose={() => setAsked(null)} />
      )}
      {(asked === 'tag' || asked === 'assign') && (
        <SelectionDialog asked={asked} ids={ids} onEnd={end} onClose={() => setAsked(null)} />
      )}
    </>
  );
}

/** Those that are absent are not for this person. */
type ActsProps = Readonly<{
  onCopy: () => void;
  onTag?: () => void;
  onAssign?: () => void;
  onChange?: () => void;
  onChangeAll?: () => void;
}>;

function SelectionActs({ onCopy, onTag, onAssign, onChange, onChangeAll }: ActsProps) {
  return [
    { text: words.copyIds, act: onCopy },
    { text: words.tag, act: onTag, key: 't' },
    { text: words.assign, act: onAssign, key: 'i' },
    { text: words.change, act: onChange },
    { text: words.changeAll, act: onChangeAll },
  ].map(
    ({ text, act, key }) =>
      act && (
        <Button
          key={text}
          variant="default"
          size="compact-sm"
          onClick={act}
          rightSection={key !== undefined && <kbd>{key}</kbd>}
        >
          {text}
        </Button>
      ),
  );
}
