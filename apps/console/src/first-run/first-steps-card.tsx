import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { FirstStepList } from '#desk/first-steps.contract';
import { ask } from '../api/http.js';
import { Failure } from '../frame/failure.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { firstRunWords } from './first-run-words.js';

const { steps: words } = firstRunWords;
const KEY = 'willcall.first-steps';
const EVERY_MS = 15_000;
/** Where the steps are a row. On a phone they would leave little of the orders, so it opens them. */
const WIDE = '(width >= 1100px)';

type Step = FirstStepList['steps'][number];

const PLACES = {
  listing: '/listings',
  colleague: '/settings/operators',
  platform: '/settings/clients',
  webhook: '/settings/webhooks',
} as const;

/** What is left to do, until all is done or somebody hides it in this browser. */
export function FirstStepsCard() {
  const [hidden, setHidden] = useState(() => localStorage.getItem(KEY) === 'hidden');
  const { data } = useQuery({
    queryKey: ['first-steps'],
    queryFn: ({ signal }) => ask('GET first-steps', { signal }),
    enabled: !hidden,
    refetchInterval: EVERY_MS,
  });
  const done = data?.steps.filter((step) => step.done).length ?? 0;
  if (hidden || !data || done === data.steps.length) return null;
  const hide = () => {
    localStorage.setItem(KEY, 'hidden');
    setHidden(true);
  };
  return (
    <section className="first-steps" aria-labelledby="first-steps">
      <details open={matchMedia(WIDE).matches}>
        <summary>
          <h2 id="first-steps">{words.title}</h2>
          <span className="soft small">{words.done(done, data.steps.length)}</span>
        </summary>
        <ol>
          {data.steps.map((step) => (
            <li key={step.id} className={step.done ? 'done' : ''}>
              <span className="tick" role="img" aria-label={step.done ? words.ticked : words.open}>
                {step.done ? '✓' : ''}
              </span>
              <span>
                <StepStart step={step} sandbox={data.sandbox} />
                <span className="soft small">
                  {step.id === 'purchase' && !data.sandbox ? words.noSandbox : words.hints[step.id]}
                </span>
              </span>
            </li>
          ))}
        </ol>
      </details>
      <Button variant="default" size="compact-xs" onClick={hide}>
        {words.dismiss}
      </Button>
    </section>
  );
}

function StepStart({ step: { id }, sandbox }: Readonly<{ step: Step; sandbox: boolean }>) {
  const name = words.names[id];
  if (id !== 'purchase') return <Link to={PLACES[id]}>{name}</Link>;
  return sandbox ? <TestPurchase /> : <span>{name}</span>;
}

/** Has the built-in platform buy, and opens the order. */
function TestPurchase() {
  const navigate = useNavigate();
  const buy = useMutationOnce({
    mutationFn: () => ask('POST test-purchases'),
    onSuccess: ({ id }) => navigate({ to: '/orders/$id', params: { id } }),
  });
  return (
    <>
      <button type="button" className="link-button" disabled={buy.isPending} onClick={() => buy.mutate(undefined)}>
        {words.names.purchase}
      </button>
      {buy.error && <Failure error={buy.error} />}
    </>
  );
}
