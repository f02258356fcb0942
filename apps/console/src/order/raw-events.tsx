import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { eventsQuery } from '../api/desk.js';
import { Failure } from '../frame/failure.js';
import { exactTime } from '../words/formats.js';
import { orderWords as words } from './order-words.js';

/** The recorded events up to the version that the page shows. */
export function RawEvents({ id, version }: Readonly<{ id: string; version: number }>) {
  const [open, setOpen] = useState(false);
  const { data, error } = useQuery({ ...eventsQuery(id, version), enabled: open });
  return (
    <details className="raw" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {words.raw} <span className="soft">{words.rawHint}</span>
      </summary>
      {error && <Failure error={error} />}
      {data?.events
        .filter(({ position }) => position <= version)
        .map(({ position, type, recorded_at, ...rest }) => (
          <details key={position} className="detail">
            <summary>
              <span className="mono">
                {position} · {type}
              </span>{' '}
              <span className="soft">{exactTime(recorded_at)}</span>
            </summary>
            <pre className="mono">{JSON.stringify(rest, null, 2)}</pre>
          </details>
        ))}
    </details>
  );
}
