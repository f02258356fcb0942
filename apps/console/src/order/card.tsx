import type { ReactNode } from 'react';
import { orderWords as words } from './order-words.js';

type CardProps = Readonly<{
  title: string;
  aside?: ReactNode;
  wide?: boolean;
  /** False where a field in the card has almost the name of its title: who looks for the field by name must find it alone. */
  isRegion?: boolean;
  children: ReactNode;
}>;

export function Card({ title, aside, wide = false, isRegion = true, children }: CardProps) {
  return (
    <section className={wide ? 'card wide' : 'card'} {...(isRegion && { 'aria-label': title })}>
      <div className="card-head">
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** As high as one file or one e-mail. */
export function FilesSkeleton() {
  return (
    <div className="files-skeleton" aria-hidden="true">
      <div className="skeleton" />
      <div className="skeleton short" />
    </div>
  );
}

type FieldProps = Readonly<{
  name: string;
  value: ReactNode;
  /** The same value in the order as it is now, where the page shows an earlier version. */
  now?: ReactNode;
  /** What `now` is compared with, if the value is more than a text. */
  compare?: string;
}>;

/** A name and its value, marked if the order has another value now. */
export function Field({ name, value, now, compare }: FieldProps) {
  const differs = now !== undefined && now !== (compare ?? value);
  return (
    <div className={`field${differs ? ' differs' : ''}`}>
      <dt>{name}</dt>
      <dd>
        {value}
        {differs && (
          <span className="now">
            {words.differs}: {now}
          </span>
        )}
      </dd>
    </div>
  );
}
