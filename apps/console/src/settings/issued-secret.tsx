import { Button } from '@mantine/core';
import { Dialog } from '../frame/dialog.js';
import { CopyButton } from '../frame/copy-button.js';
import { settingsWords } from './settings-words.js';

type Props = Readonly<{
  title: string;
  /** What to do with it. */
  children: string;
  values: readonly Readonly<{ name: string; value: string }>[];
  /** On the button that closes it. */
  close?: string;
  onClose: () => void;
}>;

/** Shows a new secret. It is shown only here. */
export function IssuedSecret({ title, children, values, close = settingsWords.savedIt, onClose }: Props) {
  return (
    <Dialog title={title} typed={null} onClose={onClose}>
      <div className="stack">
        <p role="status">{children}</p>
        <dl className="stack">
          {values.map(({ name, value }) => (
            <div key={name}>
              <dt className="soft small">{name}</dt>
              <dd className="secret mono">
                <span className="grow">{value}</span>
                <CopyButton text={value} what={name} />
              </dd>
            </div>
          ))}
        </dl>
        <div className="row end">
          <Button onClick={onClose}>{close}</Button>
        </div>
      </div>
    </Dialog>
  );
}
