import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { OrderDetail } from '#orders/order.contract';
import { ask } from '../api/http.js';
import { may, sessionQuery } from '../api/session.js';
import { Failure } from '../frame/failure.js';
import { useNow } from '../frame/now.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { exactTime, minuteTime } from '../words/formats.js';
import { choiceWords as words } from './choice-words.js';

type Props = Readonly<{ order: OrderDetail; isPast: boolean }>;

/** What the buyer of a postponed show has chosen, or may choose, in one line. */
export function ChoiceLine({ order: { id, choice }, isPast }: Props) {
  const now = useNow();
  const { data: session } = useQuery(sessionQuery);
  if (!choice) return null;
  const { state, until } = choice;
  const hasTime = state === 'open' || state === 'lapsed';
  return (
    <div className="row wrap">
      <span>
        {words.state[state]}{' '}
        {hasTime && (
          <time dateTime={until} title={exactTime(until)}>
            {minuteTime(until, now)}
          </time>
        )}
      </span>
      {state === 'open' && !isPast && may(session, 'orders:act') && <CopyLink id={id} />}
    </div>
  );
}

/** For buyers whom the mail does not reach. Where the browser forbids to copy, the link is shown. */
function CopyLink({ id }: Readonly<{ id: string }>) {
  const copy = useMutationOnce({
    mutationFn: async () => {
      const { url } = await ask('POST orders/{id}/choice-link', { path: { id } });
      const isCopied = await navigator.clipboard.writeText(url).then(
        () => true,
        () => false,
      );
      return { url, isCopied };
    },
  });
  return (
    <>
      <Button variant="default" size="compact-xs" loading={copy.isPending} onClick={() => copy.mutate()}>
        {words.copy}
      </Button>
      <span role="status" className="soft small">
        {copy.data?.isCopied && words.copied}
      </span>
      {copy.data && !copy.data.isCopied && (
        <input className="mono" aria-label={words.link} value={copy.data.url} readOnly />
      )}
      {copy.error && <Failure error={copy.error} />}
    </>
  );
}
