import { Modal } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { PATH_PREFIX } from '../api/path-prefix.js';
import { PALETTE_KEY, SEND_KEY } from './shortcut-names.js';
import type { HelpByPath } from './help-by-path.js';
import { useNavigation } from './navigation.js';
import { frame } from '../words/frame.js';
import { paletteWords } from './palette-words.js';

const EVERYWHERE = [
  [PALETTE_KEY, paletteWords.title],
  [SEND_KEY, paletteWords.send],
] as const;

type Props = Readonly<{ keys: readonly (readonly [string, string])[]; onClose: () => void }>;

// Each folder has the words of its pages. They are in the file of this dialog, which few people open.
const FILES = import.meta.glob<Readonly<{ help: HelpByPath }>>('../**/*-help.ts', { eager: true });
const HELP: HelpByPath = Object.assign({}, ...Object.values(FILES).map(({ help }) => help));

/** What the page is for, and its keys. */
export function ShortcutDialog({ keys, onClose }: Props) {
  const path = useRouterState({ select: ({ matches }) => matches.at(-1)?.fullPath ?? '' });
  const help = HELP[path.replace(/(?<=.)\/$/, '')];
  const pages = useNavigation().flatMap(({ go }) => (go ? [[`g ${go.key}`, go.words] as const] : []));
  return (
    <Modal opened onClose={onClose} title={help ? frame.help.title : frame.keysTitle} size="md">
      {help && (
        <>
          <ul className="page-help">
            {help.sentences.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
          <p className="soft small page-help-more">
            {frame.help.more} <span className="mono">docs/{help.docs}</span>
            {' · '}
            <a href={`${PATH_PREFIX}/docs`}>{frame.help.api}</a>
          </p>
          <h3>{frame.keysTitle}</h3>
        </>
      )}
      <dl className="shortcut-list">
        {[...keys, ...EVERYWHERE, ...pages].map(([key, meaning]) => (
          <div key={key}>
            <dt>
              {key.split(' ').map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
