import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Webhook } from '#outbound/webhook.contract';
import { isNotFound } from '../../api/api-error.js';
import { ask } from '../../api/http.js';
import { may, sessionQuery } from '../../api/session.js';
import { PageHead } from '../../frame/page-head.js';
import { ShortId } from '../../frame/short-id.js';
import { Time } from '../../frame/time.js';
import { UnreadPage } from '../../frame/unread-page.js';
import { number } from '../../words/formats.js';
import { webhookWords as words } from './webhook-words.js';
import { WebhookActs } from './webhook-acts.js';
import { WebhookDeliveries } from './webhook-deliveries.js';
import { statusesText, WebhookState } from './webhook-state.js';

const EVERY_MS = 3_000;

/** One receiver: its state, what it was sent and what it answered. */
const BACK = { to: '/settings/webhooks', name: words.back } as const;

export function WebhookPage() {
  const { id } = useParams({ from: '/frame/settings/webhooks/$id' });
  const { data: session } = useQuery(sessionQuery);
  const one = useQuery({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) => ask('GET webhooks/{id}', { path: { id }, signal }),
    refetchInterval: EVERY_MS,
  });
  const { data } = one;
  // A webhook that was removed meanwhile is still in the cache.
  if (!data || isNotFound(one.error)) {
    return <UnreadPage back={BACK} title={words.title} query={one} missing={words.notFoundHint} />;
  }
  const mayAct = may(session, 'delivery:act');
  return (
    <div className="page">
      <PageHead back={BACK} title={data.url} {...(data.description !== null && { hint: data.description })}>
        {mayAct && <WebhookActs webhook={data} />}
      </PageHead>
      <Facts webhook={data} />
      <WebhookDeliveries id={id} mayAct={mayAct} />
    </div>
  );
}

function Facts({ webhook }: Readonly<{ webhook: Webhook }>) {
  const { state, breaker, statuses, pending, parked, oldest_pending_at: oldest, position, secrets } = webhook;
  return (
    <dl className="facts-grid">
      <div>
        <dt>{words.state}</dt>
        <dd>
          <WebhookState webhook={webhook} />
          {state === 'disabled' && <p className="soft small">{words.disabledHint}</p>}
          {state === 'paused' && <p className="soft small">{words.pausedHint}</p>}
          {state === 'active' && breaker.open_until !== null && (
            <p className="soft small">
              {words.heldBackUntil(number(breaker.failures))} <Time at={breaker.open_until} />
            </p>
          )}
        </dd>
      </div>
      <div>
        <dt>{words.waiting}</dt>
        <dd>
          {number(pending)}
          {oldest !== null && (
            <span className="soft small">
              {' '}
              {words.oldest} <Time at={oldest} />
            </span>
          )}
        </dd>
      </div>
      <div>
        <dt>{words.parked}</dt>
        <dd className={parked > 0 ? 'late' : ''}>{number(parked)}</dd>
      </div>
      <div>
        <dt>{words.kind}</dt>
        <dd>{words.kinds[webhook.kind]}</dd>
      </div>
      <div>
        <dt>{words.statuses}</dt>
        <dd>{statusesText(statuses)}</dd>
      </div>
      <div>
        <dt>{words.rate}</dt>
        <dd>{number(webhook.rate_per_second)}</dd>
      </div>
      <div>
        <dt>{words.read}</dt>
        <dd>{words.readAs(number(position))}</dd>
      </div>
      <div>
        <dt>{words.secrets}</dt>
        <dd>
          <ul className="lines">
            {secrets.map(({ id, created_at, expires_at }) => (
              <li key={id}>
                <ShortId id={id} />{' '}
                <span className="soft small">
                  {words.secretSince} <Time at={created_at} />
                  {expires_at !== null && (
                    <>
                      , {words.secretEnds} <Time at={expires_at} />
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </dd>
      </div>
    </dl>
  );
}
