import { useSyncExternalStore } from 'react';
import { connectionLostAt, onConnectionChange } from '../api/connection.js';
import { exactTime } from '../words/formats.js';
import { frame } from '../words/frame.js';

/** Green while the server answers; amber, with the time, since it does not. */
export function LiveDot() {
  const lostAt = useSyncExternalStore(onConnectionChange, connectionLostAt);
  return (
    <div
      className={`live${lostAt === null ? '' : ' cut'}`}
      role="status"
      title={lostAt === null ? frame.liveHint : frame.cut(exactTime(lostAt))}
    >
      <span className="label">{lostAt === null ? frame.live : frame.cut(exactTime(lostAt).slice(-13))}</span>
    </div>
  );
}
