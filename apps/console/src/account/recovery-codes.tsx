import { Button } from '@mantine/core';
import { CopyButton } from '../frame/copy-button.js';
import { accountWords } from './account-words.js';

const words = accountWords.recoveryCodes;

type Props = Readonly<{ codes: readonly string[]; onClose: () => void }>;

/** Shows new recovery codes. They are shown only here. */
export function RecoveryCodeList({ codes, onClose }: Props) {
  const text = codes.join('\n');
  const save = () => {
    const address = URL.createObjectURL(new Blob([`${words.file}\n\n${text}\n`], { type: 'text/plain' }));
    const link = Object.assign(document.createElement('a'), { href: address, download: 'willcall-recovery-codes.txt' });
    link.click();
    URL.revokeObjectURL(address);
  };
  return (
    <div className="stack recovery-codes">
      <h3>{words.title}</h3>
      <p role="status">{words.once}</p>
      <ul className="mono" aria-label={words.title}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="row no-print">
        <CopyButton text={text} what={words.title} />
        <Button variant="default" size="compact-sm" onClick={save}>
          {words.download}
        </Button>
        <Button variant="default" size="compact-sm" onClick={() => window.print()}>
          {words.print}
        </Button>
        <div className="grow" />
        <Button onClick={onClose}>{words.saved}</Button>
      </div>
    </div>
  );
}
