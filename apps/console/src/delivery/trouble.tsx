import { number } from '../words/formats.js';
import { deliveryWords as words } from './delivery-words.js';
import { addressOf, type Endpoint, kindOf } from './endpoint-table.js';

/** What is wrong, in sentences. */
export function Trouble({ endpoints }: Readonly<{ endpoints: readonly Endpoint[] }>) {
  const sentences = endpoints.flatMap((endpoint) => {
    const { state, pending, parked } = endpoint;
    const name = endpoint.url === 'sandbox' ? words.sandbox : `${kindOf(endpoint)} ${addressOf(endpoint)}`;
    return [
      ...(state === 'delivering' ? [] : [words.trouble[state](name, number(pending))]),
      ...(parked > 0 ? [words.trouble.parked(name, number(parked))] : []),
    ];
  });
  if (sentences.length === 0) return <p className="trouble soft small">{words.fine}</p>;
  return (
    <ul className="alert trouble">
      {sentences.map((one) => (
        <li key={one}>{one}</li>
      ))}
    </ul>
  );
}
