import type { RefundPreview } from '#money/refund.contract';
import { money } from '../words/formats.js';
import { wordFor } from '../words/word-for.js';
import { cardText, providerText } from './payment-source.js';
import { refundWords } from './refund-words.js';

const words = refundWords.dialog;

type Props = Readonly<{
  preview: RefundPreview | undefined;
  /** It answers an earlier choice. */
  isOld: boolean;
}>;

/** What a refund would do, in sentences. */
export function RefundFollows({ preview, isOld }: Props) {
  if (!preview) return <p className="soft small">{words.looking}</p>;
  return (
    <ul className={`consequences${isOld ? ' stale' : ''}`} aria-label={words.follows} aria-busy={isOld}>
      {sentencesOf(preview).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

function sentencesOf({ amount, currency, to, lines, refundable_after: after, needs_approval }: RefundPreview) {
  const text = (value: number) => money(value, currency);
  return [
    ...(needs_approval ? [words.approval] : []),
    words.back(text(amount), cardText(to), providerText(to.provider)),
    words.bearers(lines.map((line) => words.bearer(bearerOf(line.account), text(line.amount)))),
    after > 0 ? words.after(text(after)) : words.nothingAfter,
    words.nothingElse,
  ];
}

/** An account of the ledger in words. */
function bearerOf(account: string): string {
  const [kind, seller] = account.split(':');
  if (kind === 'seller' && seller !== undefined) return words.seller(seller);
  return wordFor(words.accounts, account) ?? account;
}
