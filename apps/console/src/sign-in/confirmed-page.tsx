import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { announceProof } from '../api/fresh-proof.js';
import { wordFor } from '../words/word-for.js';
import { confirmIdentityWords } from './confirm-identity-words.js';

const words = confirmIdentityWords.done;

/** Where people come back to from the OpenID provider, in a tab of its own. The tab before goes on. */
export function ConfirmedPage() {
  const search = useSearch({ from: '/confirmed' });
  const { problem } = search;
  const isConfirmed = problem === undefined;
  const title = isConfirmed ? words.title : words.problemTitle;
  useEffect(() => {
    document.title = `${title} · Willcall`;
    if (!isConfirmed) return;
    announceProof();
    // Browsers allow it for some tabs only.
    window.close();
  }, [title, isConfirmed]);
  return (
    <main className="sign-in">
      <div className="stack">
        <h1>{title}</h1>
        {isConfirmed ? (
          <p role="status">{words.text}</p>
        ) : (
          <div className="alert" role="alert">
            {wordFor(words.problems, problem) ?? words.problems.failed}
          </div>
        )}
      </div>
    </main>
  );
}
