import { useState } from 'react';
import { frame } from '../words/frame.js';
import { CopyIcon } from './icons.js';

export function CopyButton({ text, what }: Readonly<{ text: string; what: string }>) {
  const [copied, setCopied] = useState(false);
  const copy = () => {
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), 1_500);
    });
  };
  return (
    <>
      <button
        type="button"
        className="icon-button"
        onClick={copy}
        aria-label={`${frame.copy} ${what}`}
        title={frame.copy}
      >
        <CopyIcon />
      </button>
      <span role="status" className={copied ? 'small soft' : 'visually-hidden'}>
        {copied ? frame.copied : ''}
      </span>
    </>
  );
}
