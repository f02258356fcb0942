import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Dispute } from '#money/dispute.contract';
import { isNotFound } from '../api/api-error.js';
import { disputeQuery } from '../api/disputes.js';
import { may, sessionQuery } from '../api/session.js';
import { useNow } from '../frame/now.js';
import { PageHead } from '../frame/page-head.js';
import { UnreadPage } from '../frame/unread-page.js';
import { money } from '../words/formats.js';
import { DisputeActs } from './dispute-acts.js';
import { DisputeEvidence } from './dispute-evidence.js';
import { DisputeFacts } from './dispute-facts.js';
import { kindText, situationOf } from './dispute-text.js';
import { disputeWords as words } from './dispute-words.js';

const BACK = { to: '/disputes', name: words.back } as const;

/** One dispute: what is contested, until when it can be answered, and how. */
export function DisputePage() {
  const { id } = useParams({ from: '/frame/disputes/$id' });
  const { data: session } = useQuery(sessionQuery);
  const one = useQuery(disputeQuery(id));
  const [news, setNews] = useState('');
  const { data } = one;
  if (!data || isNotFound(one.error)) {
    return <UnreadPage back={BACK} title={words.title} query={one} missing={words.notFoundHint(id)} />;
  }
  return (
    <div className="page">
      <PageHead back={BACK} title={words.headOf(kindText(data), money(data.amount, data.currency))}>
        {may(session, 'money:act') && <DisputeActs dispute={data} onDone={setNews} />}
      </PageHead>
      <p role="status" className={news === '' ? 'visually-hidden' : 'news'}>
        {news}
      </p>
      <WhatToDo dispute={data} />
      <DisputeFacts dispute={data} />
      <DisputeEvidence id={id} />
    </div>
  );
}

function WhatToDo({ dispute }: Readonly<{ dispute: Dispute }>) {
  return <p className="section">{situationOf(dispute, useNow())}</p>;
}
