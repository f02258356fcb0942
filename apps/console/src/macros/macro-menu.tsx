import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Macro } from '#desk/macro.contract';
import { macrosQuery } from '../api/macros.js';
import { Failure } from '../frame/failure.js';
import { lazyPart } from '../frame/lazy-part.js';
import { useShortcuts } from '../frame/use-shortcuts.js';
import { macroWords as words } from './macro-words.js';

const MacroDialog = lazyPart(async () => (await import('./macro-dialog.js')).MacroDialog);

/** Those that a digit chooses. */
const WITH_A_KEY = 9;

type Props = Readonly<{
  orderId: string;
  isOff: boolean;
  /** Says what was done. */
  onDone: (news: string) => void;
}>;

/** The macros that can be applied to an order: `m` opens the menu, and a digit chooses one of it. */
export function MacroMenu({ orderId, isOff, onDone }: Props) {
  const [opened, setOpened] = useState(false);
  const [chosen, setChosen] = useState<Macro | null>(null);
  const { data: macros, error } = useQuery({ ...macrosQuery, enabled: opened });
  useShortcuts({ m: () => setOpened(!isOff) });
  const choose = (macro: Macro | undefined) => {
    if (!macro) return;
    setOpened(false);
    setChosen(macro);
  };
  return (
    <>
      <Menu opened={opened} onChange={setOpened} position="bottom-end" transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <Button size="compact-md" variant="default" disabled={isOff} aria-keyshortcuts="m">
            {words.title}
          </Button>
        </Menu.Target>
        <Menu.Dropdown
          className="menu-tall"
          onKeyDown={({ key }) => choose(/^[1-9]$/.test(key) ? macros?.[Number(key) - 1] : undefined)}
        >
          {!macros && !error && <Menu.Label>{words.loading}</Menu.Label>}
          {error && <Failure error={error} />}
          {macros?.length === 0 && (
            <Menu.Label>
              {words.none}
              <br />
              {words.howTo}
            </Menu.Label>
          )}
          {macros?.map((macro, place) => (
            <Menu.Item
              key={macro.id}
              aria-label={macro.name}
              onClick={() => choose(macro)}
              rightSection={place < WITH_A_KEY && <kbd>{place + 1}</kbd>}
            >
              {macro.name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {chosen && (
        <MacroDialog
          orderId={orderId}
          macro={chosen}
          onClose={() => setChosen(null)}
          onDone={(news) => {
            setChosen(null);
            onDone(news);
          }}
        />
      )}
    </>
  );
}
