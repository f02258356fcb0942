import { useLocation } from '@tanstack/react-router';
import { FirstStepsCard } from './first-steps-card.js';
import { SampleBar } from './sample-bar.js';
import './first-run.css';

/** What an administrator of a new installation sees below the pages. Nothing once the sample is gone and the steps are done. */
export function FirstRun() {
  const { pathname } = useLocation();
  return (
    <>
      {pathname === '/orders' && <FirstStepsCard />}
      <SampleBar />
    </>
  );
}
