import { Modal } from '@mantine/core';
import { PALETTE_KEY, SEND_KEY } from './go-keys.js';
import { frame } from '../words/frame.js';
import { paletteWords } from './palette-words.js';

const EVERYWHERE = [
  [PALETTE_KEY, paletteWords.title],
  [SEND_KEY, paletteWords.send],
  ...paletteWords.everywhere,
] as const;

type Props = Readonly<{ keys: readonly (readonly [string, string])[]; opened: boolean; onClose: () => void }>;

export function KeyList({ keys, opened, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={frame.keysTitle} size="sm">
      <dl className="key-list">
        {[...keys, ...EVERYWHERE].map(([key, meaning]) => (
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
