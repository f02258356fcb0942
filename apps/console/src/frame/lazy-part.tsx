import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Button } from '@mantine/core';
import { frame } from '../words/frame.js';
import { useNavigationPage } from './navigation.js';
import { PageHead } from './page-head.js';
import { SkeletonRows } from './skeleton-rows.js';

const { part: words } = frame;

// A page's file has some kB. The server gives a slow request up within 15 s.
const LATE_AFTER_MS = 5_000;
const RETRY_MS = [500, 2_000, 5_000, 15_000] as const;
/** For so long the page before stays, so that a quick answer shows no empty page between. */
const SHOWN_AFTER_MS = 300;

// By then the first page has its data.
const SOON_AFTER_MS = 2_000;

type Load<Props> = () => Promise<ComponentType<Props>>;
type Loading<Props> = Readonly<{
  Part: ComponentType<Props> | undefined;
  /** It has failed, or it takes long. */
  isLate: boolean;
}>;

/** Loads a file of the console, and again until it has arrived. */
function useLoaded<Props>(load: Load<Props>): Loading<Props> {
  const [state, setState] = useState<Loading<Props>>({ Part: undefined, isLate: false });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const isLate = () => setState((before) => (before.Part ? before : { Part: undefined, isLate: true }));
    const late = setTimeout(isLate, LATE_AFTER_MS);
    const attempt = (failures: number) =>
      void load().then(
        (Part) => {
          clearTimeout(late);
          setState({ Part, isLate: false });
        },
        () => {
          if (isGone) return;
          isLate();
          timer = setTimeout(() => attempt(failures + 1), RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]);
        },
      );
    attempt(0);
    return () => {
      isGone = true;
      clearTimeout(late);
      clearTimeout(timer);
    };
  }, [load]);
  return state;
}

/** Some browsers remember that a file failed. A new page asks for it again. */
function LateNotice() {
  return (
    <div className="alert" role="alert">
      <div className="row">
        <span>{words.late}</span>
        <Button variant="default" size="compact-xs" onClick={() => location.reload()}>
          {words.reload}
        </Button>
      </div>
    </div>
  );
}

function lazyWith<Props extends object>(load: Load<Props>, waiting: (isLate: boolean) => ReactNode) {
  let known: ComponentType<Props> | undefined;
  const remember: Load<Props> = async () => (known ??= await load());
  function Lazy(props: Props) {
    const { Part = known, isLate } = useLoaded(remember);
    return Part ? <Part {...props} /> : waiting(isLate);
  }
  return Object.assign(Lazy, {
    /** The router waits for it before it shows the page. */
    preload: () =>
      Promise.race([
        remember().then(
          () => undefined,
          () => undefined,
        ),
        new Promise<void>((resolve) => setTimeout(resolve, SHOWN_AFTER_MS)),
      ]),
  });
}

/** A part of a page that is loaded when it is first shown, e.g. a dialog. If its file fails, it says so where it would stand. */
export function lazyPart<Props extends object>(load: Load<Props>) {
  return lazyWith(load, (isLate) => isLate && <LateNotice />);
}

/** A part that is loaded soon after the page, before it is needed: when it is, the server may be away, or have newer files. */
export function soonPart<Props extends object>(load: Load<Props>) {
  const part = lazyPart(load);
  addEventListener('load', () => setTimeout(() => void part.preload(), SOON_AFTER_MS));
  return part;
}

/** A page that is loaded when it is first opened. Its heading is there at once. */
export function lazyPage(load: Load<object>) {
  return lazyWith(load, (isLate) => <WaitingPage isLate={isLate} />);
}

function WaitingPage({ isLate }: Readonly<{ isLate: boolean }>) {
  return (
    <div className="page">
      <PageHead title={useNavigationPage()?.name ?? frame.product} />
      {isLate ? <LateNotice /> : <SkeletonRows />}
    </div>
  );
}
