import { type FormEvent, useId, useState } from 'react';
import type { OrderDetail } from '#orders/order.contract';
import { changeTag, type TagChange, withTag } from '../../api/order-changes.js';
import { Failure } from '../../frame/failure.js';
import { CloseIcon } from '../../frame/icons.js';
import { useUnsaved } from '../../frame/unsaved.js';
import { deskWords as words } from './order-desk-words.js';
import { LONGEST_TAG } from '#orders/order.limits';
import { useOrderChange } from './use-order-change.js';

/** The tags of an order. People who may change them add and remove them in place. */
export function TagList({ order, mayChange }: Readonly<{ order: OrderDetail; mayChange: boolean }>) {
  const [typed, setTyped] = useState<string | null>(null);
  const hintId = useId();
  const change = useOrderChange(order.id, (one: TagChange) => changeTag(order, one));
  // The outcome is shown at once, and taken back if the server refuses.
  const tags = change.isPending && change.variables ? withTag(order.tags, change.variables) : order.tags;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The tag stays in its field while the one before is on its way.
    if (change.isPending) return;
    const tag = (typed ?? '').trim();
    setTyped(null);
    if (tag !== '') change.mutate({ add: tag });
  };
  const leave = useUnsaved((typed ?? '').trim() === '' ? undefined : 'written');
  if (tags.length === 0 && !mayChange) return null;
  return (
    <span className="tags" role="group" aria-label={words.tags}>
      {tags.map((tag) => (
        <span key={tag} className="tag">
          {tag}
          {mayChange && (
            <button
              type="button"
              aria-label={words.removeTag(tag)}
              title={words.removeTag(tag)}
              onClick={() => change.mutate({ remove: tag })}
            >
              <CloseIcon />
            </button>
          )}
        </span>
      ))}
      {mayChange &&
        (typed === null ? (
          <button type="button" className="chip-button" onClick={() => setTyped('')}>
            + {words.addTag}
          </button>
        ) : (
          <form onSubmit={submit}>
            <input
              className="tag-input"
              aria-label={words.tag}
              aria-describedby={hintId}
              placeholder={words.tag}
              value={typed}
              autoFocus
              maxLength={LONGEST_TAG}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
              onKeyDown={({ key }) => {
                if (key === 'Escape') leave(() => setTyped(null));
              }}
              onBlur={submit}
            />{' '}
            <span id={hintId}>{words.tagHint}</span>
          </form>
        ))}
      {change.error && <Failure error={change.error} />}
    </span>
  );
}
