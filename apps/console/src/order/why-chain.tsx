import { useQuery } from '@tanstack/react-query';
import { isNotFound } from '../api/api-error.js';
import { transactionQuery } from '../api/desk.js';
import { CopyButton } from '../frame/copy-button.js';
import { Failure } from '../frame/failure.js';
import { orderWords as words } from './order-words.js';

const PARTS = ['commands', 'events', 'payments', 'pings'] as const;

/** The request that caused something, and what else it caused. */
export function WhyChain({ transactionId }: Readonly<{ transactionId: string }>) {
  const { data, error } = useQuery(transactionQuery(transactionId));
  const parts = data ? PARTS.filter((part) => data[part].length > 0) : [];
  return (
    <div className="why">
      <div className="row small">
        <strong>{words.whyTitle}</strong> <span className="mono">{transactionId}</span>
        <CopyButton text={transactionId} what={words.trace} />
      </div>
      {error && !isNotFound(error) && <Failure error={error} />}
      {data?.request && (
        <p className="small">
          {words.chain.request}: <span className="mono">{requestText(data.request)}</span>
        </p>
      )}
      {parts.map((part) => (
        <details key={part} className="detail">
          <summary>
            {words.chain[part]} ({data?.[part].length})
          </summary>
          <pre className="mono">{JSON.stringify(data?.[part], null, 2)}</pre>
        </details>
      ))}
      {(isNotFound(error) || (data && !data.request && parts.length === 0)) && (
        <p className="small soft">{words.whyNothing}</p>
      )}
    </div>
  );
}

/** `POST /checkout/v1/purchases · pay-1 · 201 in 41 ms` */
function requestText(request: Readonly<Record<string, unknown>>): string {
  const text = (name: string) => textOf(request[name]);
  const by = text('operator') || text('client_id') || text('client') || text('actor');
  const took = text('duration_ms') === '' ? '' : ` in ${text('duration_ms')} ms`;
  return [`${text('method')} ${text('path')}`, by, `${text('status')}${took}`]
    .filter((part) => part.trim() !== '')
    .join(' · ');
}

const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '');
