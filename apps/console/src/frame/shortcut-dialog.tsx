import { Modal } from '@mantine/core';
import { PALETTE_KEY, SEND_KEY } from './shortcut-names.js';
import { useNavigation } from './navigation.js';
import { frame } from '../words/frame.js';
import { paletteWords } from './palette-words.js';

const EVERYWHERE = [
  [PALETTE_KEY, paletteWords.title],
  [SEND_KEY, paletteWords.send],
] as const;

type Props = Readonly<{ keys: readonly (readonly [string, string])[]; onClose: () => void }>;

export function ShortcutDialog({ keys, onClose }: Props) {
  const pages = useNavigation().flatMap(({ go }) => (go ? [[`g ${go.key}`, go.words] as const] : []));
  return (
    <Modal opened onClose={onClose} title={frame.keysTitle} size="sm">
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
