import { exactTime, timeLeft } from '../words/formats.js';
import { frame } from '../words/frame.js';
import { useClock } from './now.js';

/** How long something may still wait, or how late it is; the exact time on hover. */
export function TimeLeft({ until }: Readonly<{ until: string }>) {
  const { text, late } = timeLeft(until, useClock(until));
  return (
    <time dateTime={until} title={exactTime(until)} className={late ? 'late' : ''}>
      {late ? frame.late(text) : frame.left(text)}
    </time>
  );
}
