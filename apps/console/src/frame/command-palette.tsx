import { Modal } from '@mantine/core';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { paletteWords as words } from './palette-words.js';
import { type Command, useCommands } from './use-commands.js';
import { useFoundOrders } from './use-found-orders.js';
import { useHiddenBackground } from './use-hidden-background.js';

type Props = Readonly<{ onClose: () => void; onShowKeys: () => void }>;

/** Finds orders by what a caller knows, and pages and commands by name. The keyboard is enough. */
export function CommandPalette({ onClose, onShowKeys }: Props) {
  useHiddenBackground();
  const listId = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const asked = text.trim();
  const { orders, isSearching, isStale } = useFoundOrders(asked);
  const commands = useCommands(asked, { orders, isStale }, onShowKeys);
  const chosen = Math.min(active, commands.length - 1);

  useEffect(() => setActive(0), [asked]);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);

  const run = (command: Command | undefined) => {
    if (!command || command.isStale) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, Home: -chosen, End: commands.length };
    const step = steps[event.key];
    if (event.key === 'Enter') run(commands[chosen]);
    else if (step !== undefined) setActive(Math.max(0, Math.min(commands.length - 1, chosen + step)));
    else return;
    event.preventDefault();
  };
  const optionId = (index: number) => `${listId}-${index}`;
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      centered={false}
      yOffset="12vh"
      size={600}
      padding={0}
      title={words.title}
      classNames={{ header: 'visually-hidden' }}
      transitionProps={{ duration: 0 }}
    >
      <input
        className="palette-field"
        type="text"
        role="combobox"
        aria-label={words.field}
        aria-expanded="true"
        aria-controls={listId}
        aria-autocomplete="list"
        {...(commands.length > 0 && { 'aria-activedescendant': optionId(chosen) })}
        placeholder={words.placeholder}
        value={text}
        maxLength={500}
        spellCheck={false}
        autoComplete="off"
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={onKeyDown}
        data-autofocus
      />
      <ul role="listbox" id={listId} aria-label={words.results} className="palette-list" ref={list}>
        {commands.map((command, index) => (
          <Option
            key={command.id}
            id={optionId(index)}
            command={command}
            isChosen={index === chosen}
            isFirst={commands[index - 1]?.group !== command.group}
            onPoint={() => index !== chosen && setActive(index)}
            onRun={() => run(command)}
          />
        ))}
      </ul>
      <p role="status" className={commands.length === 0 || isSearching ? 'palette-note soft small' : 'visually-hidden'}>
        {isSearching ? words.searching : commands.length === 0 ? words.nothing : words.found(commands.length)}
      </p>
    </Modal>
  );
}

type OptionProps = Readonly<{
  id: string;
  command: Command;
  isChosen: boolean;
  /** Of its group, whose name stands above it. */
  isFirst: boolean;
  onPoint: () => void;
  onRun: () => void;
}>;

function Option({ id, command, isChosen, isFirst, onPoint, onRun }: OptionProps) {
  const { title, content = title, hint, keys, group, isStale } = command;
  return (
    <li
      id={id}
      role="option"
      aria-selected={isChosen}
      {...(isStale && { className: 'stale', 'aria-disabled': true })}
      {...(isFirst && { 'data-group': group })}
      onMouseMove={onPoint}
      onClick={onRun}
    >
      <span className="palette-title">{content}</span>
      {hint !== undefined && <span className="soft small">{hint}</span>}
      {keys?.split(' ').map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </li>
  );
}
