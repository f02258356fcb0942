import type { ReactNode } from 'react';

type Props = Readonly<{ facts: readonly (readonly [name: string, value: ReactNode])[] }>;

/** Names and values of the one thing that a page shows. */
export function Facts({ facts }: Props) {
  return (
    <dl className="facts section">
      {facts.map(([name, value]) => (
        <div key={name} className="field">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
