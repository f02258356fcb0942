import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Dispute } from '#money/dispute.contract';
import { useNow } from '../frame/now.js';
import { useShortcuts } from '../frame/use-shortcuts.js';
import { AcceptDialog, CloseDialog, EvidenceDialog } from './dispute-dialogs.js';
import { canBeAnswered, canBeClosed } from './dispute-text.js';
import { disputeWords as words } from './dispute-words.js';

const DIALOGS = { send: EvidenceDialog, accept: AcceptDialog, close: CloseDialog } as const;
type Act = keyof typeof DIALOGS;

type Props = Readonly<{
  dispute: Dispute;
  /** Says what was done. */
  onDone: (news: string) => void;
}>;

/** What can be done with a dispute as it stands, each in a dialog that says what follows. */
export function DisputeActs({ dispute, onDone }: Props) {
  const now = useNow();
  const [asked, setAsked] = useState<Act | null>(null);
  const acts: readonly Act[] = canBeAnswered(dispute, now) ? ['send', 'accept'] : canBeClosed(dispute) ? ['close'] : [];
  useShortcuts({ s: () => acts[0] && setAsked(acts[0]) });
  const Dialog = asked && DIALOGS[asked];
  return (
    <div className="row">
      {acts.map((act, index) => (
        <Button key={act} variant={index === 0 ? 'filled' : 'default'} onClick={() => setAsked(act)}>
          {words[act].open}
        </Button>
      ))}
      {Dialog && (
        <Dialog
          dispute={dispute}
          onClose={() => setAsked(null)}
          onDone={(news) => {
            setAsked(null);
            onDone(news);
          }}
        />
      )}
    </div>
  );
}
