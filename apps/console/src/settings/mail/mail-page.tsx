import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { addressOf, ask } from '../../api/http.js';
import { Failure } from '../../frame/failure.js';
import { PageHead } from '../../frame/page-head.js';
import { Segments } from '../../frame/segments.js';
import { SkeletonRows } from '../../frame/skeleton-rows.js';
import { wordFor } from '../../words/word-for.js';
import { mailWords as words } from './mail-words.js';
import './mail.css';

const WIDTHS = Object.entries(words.widths).map(([id, name]) => ({ id, name }));
const nameOf = (id: string): string => wordFor(words.kinds, id) ?? id;

export function MailPage() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['mail templates'],
    queryFn: ({ signal }) => ask('GET mail-templates', { signal }),
    select: ({ templates }) => templates,
  });
  const search = useSearch({ from: '/frame/settings/mail' });
  const { mail: asked, width = 'wide' } = search;
  const shown = data?.find(({ id }) => id === asked) ?? data?.[0];
  return (
    <div className="page">
      <PageHead title={words.title} hint={words.hint} />
      {error && <Failure error={error} retry={() => void refetch()} />}
      {isPending && <SkeletonRows />}
      {shown && (
        <>
          <div className="mail-choices">
            <Segments
              label={words.which}
              options={(data ?? []).map(({ id }) => ({ id, name: nameOf(id) }))}
              chosen={shown.id}
              searchOf={(mail) => ({ mail, width })}
            />
            <Segments
              label={words.width}
              options={WIDTHS}
              chosen={width}
              searchOf={(id) => ({ mail: shown.id, width: id })}
            />
          </div>
          <p>
            <span className="soft">{words.subject}:</span> <strong>{shown.subject}</strong>
          </p>
          {/* From the server, because the policy of this page forbids the styles of mails. Without any right. */}
          <iframe
            className={`mail-preview ${width}`}
            title={words.frame(nameOf(shown.id))}
            sandbox=""
            src={addressOf('GET mail-templates/{id}/page', { path: { id: shown.id } })}
          />
          <details>
            <summary>{words.plain}</summary>
            <pre className="code">{shown.text}</pre>
          </details>
        </>
      )}
    </div>
  );
}
