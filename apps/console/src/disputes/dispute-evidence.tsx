import { useQuery } from '@tanstack/react-query';
import { addressOf } from '../api/http.js';
import { may, sessionQuery } from '../api/session.js';
import { Section } from '../frame/section.js';
import { disputeWords } from './dispute-words.js';

const words = disputeWords.evidence;

type Option = Readonly<{ query: Readonly<Record<string, string>>; name: string; hint: string }>;

/** The pack of what happened, as the bank would get it, for those who may see it. */
export function DisputeEvidence({ id }: Readonly<{ id: string }>) {
  const { data: session } = useQuery(sessionQuery);
  const options: readonly (Option | false)[] = [
    { query: {}, name: words.pack, hint: words.packHint },
    may(session, 'orders:reveal') && { query: { clear: 'true' }, name: words.clear, hint: words.clearHint },
    may(session, 'money:act') && { query: { renew: 'true' }, name: words.renew, hint: words.renewHint },
  ];
  return (
    <Section title={words.title}>
      <ul className="stack">
        {options.map(
          (option) =>
            option && (
              <li key={option.name}>
                <a href={addressOf('GET disputes/{id}/pack', { path: { id }, query: option.query })} download>
                  {option.name}
                </a>
                <p className="soft small">{option.hint}</p>
              </li>
            ),
        )}
      </ul>
    </Section>
  );
}
