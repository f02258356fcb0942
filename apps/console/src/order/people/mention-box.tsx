import { Textarea, type TextareaProps } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { peopleWords as words } from './people-words.js';
import type { Person, useMentions } from './use-mentions.js';

type Mentions = ReturnType<typeof useMentions>;

type Props = TextareaProps &
  Readonly<{
    mentions: Mentions;
    onText: (text: string) => void;
    /** A key that was not for the list of people. */
    onKey: (event: KeyboardEvent) => void;
  }>;

const optionId = (listId: string, { operator_id: id }: Person) => `${listId}-${id}`;

/** A text box that offers people behind an @. The focus stays in the text, so the keys of the list come from there. */
export function MentionBox({ mentions, onText, onKey, ...box }: Props) {
  const active = mentions.found[mentions.current];
  return (
    <>
      <Textarea
        {...box}
        ref={mentions.field}
        onChange={(event) => {
          onText(event.currentTarget.value);
          mentions.onCaret(event);
        }}
        onSelect={mentions.onCaret}
        onKeyDown={(event) => void (mentions.onKeyDown(event) || onKey(event))}
        aria-autocomplete="list"
        {...(active && {
          'aria-controls': mentions.listId,
          'aria-activedescendant': optionId(mentions.listId, active),
        })}
      />
      <MentionList {...mentions} />
    </>
  );
}

function MentionList({ found, current, listId, choose }: Mentions) {
  return (
    <>
      <p role="status" className="visually-hidden">
        {found.length > 0 ? words.found(found.length) : ''}
      </p>
      {found.length > 0 && (
        <ul className="mention-list" role="listbox" id={listId} aria-label={words.mentions}>
          {found.map((person, index) => (
            <li
              key={person.operator_id}
              id={optionId(listId, person)}
              role="option"
              aria-selected={index === current}
              // Before the field loses the focus.
              onMouseDown={(event) => {
                event.preventDefault();
                choose(person);
              }}
            >
              {person.name} {person.is_broker && <span className="soft small">{words.broker}</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
