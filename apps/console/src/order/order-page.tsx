import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import type { Session } from '#accounts/operator.contract';
import type { OrderDetail } from '#orders/order.contract';
import type { OrderAction } from '#orders/order-action.contract';
import { may, sessionQuery } from '../api/session.js';
import { ShortcutList } from '../frame/shortcut-list.js';
import { Stale } from '../frame/stale.js';
import { UnreadPage } from '../frame/unread-page.js';
import { useShortcuts } from '../frame/use-shortcuts.js';
import { lazyPart } from '../frame/lazy-part.js';
import { MacroMenu } from '../macros/macro-menu.js';
import { orderWords as words } from './order-words.js';
import { ActionButtons } from './action-buttons.js';
import { AsOf } from './as-of.js';
import { BuyerCard } from './buyer-card.js';
import { DeliveryCard } from './delivery-card.js';
import { FulfillmentCard } from './fulfillment-card.js';
import { MailCard } from './mail-card.js';
import { MoneyCard } from './money-card.js';
import { corrects } from './corrections.js';
import { nextAction } from './next-action.js';
import { NotesCard } from './notes-card.js';
import { OrderDialogs } from './order-dialogs.js';
import { OrderHeader } from './order-header.js';
import { Presence } from './people/presence.js';
import type { OrderViewProps } from './order-view.js';
import { PingCard } from './ping-card.js';
import { RawEvents } from './raw-events.js';
import { TicketCard } from './ticket-card.js';
import { TicketFilesCard } from './ticket-files-card.js';
import { Timeline } from './timeline.js';
import { useShownVersion, useVersionInAddress } from './use-shown-version.js';
import { useOrderNow } from './use-live-order.js';
import { useOrderActions } from './use-order-actions.js';

const RefundCard = lazyPart(async () => (await import('./refund-card.js')).RefundCard);
const VersionChanges = lazyPart(async () => (await import('./version-changes.js')).VersionChanges);

const NO_KEYS = {};
const BACK = { to: '/orders', name: words.back } as const;

export function OrderPage() {
  const { id } = useParams({ from: '/frame/orders/$id' });
  const one = useOrderNow(id);
  const versions = useVersionInAddress(id);
  const { data: now } = one;
  useEffect(() => {
    if (now) document.title = `${now.id} · Willcall`;
  }, [now?.id]);
  if (now) return <LoadedOrder now={now} versions={versions} key={now.id} />;
  return <UnreadPage back={BACK} title={id} query={one} missing={words.notFoundHint(id)} />;
}

/** An order with all that can be done with it. */
export function LoadedOrder({ now, versions, isBeside = false }: OrderViewProps) {
  const shown = useShownVersion(now, versions);
  const { order, version, isPast, compared, show } = shown;
  const { data: session } = useQuery(sessionQuery);
  const [asked, setAsked] = useState<OrderAction | 'erase' | 'dispute' | null>(null);
  const [done, setDone] = useState<ReactNode>('');
  const [noteOpen, setNoteOpen] = useState(false);
  const [helpOpen, setHelpOpen] = useState(false);
  const mayNote = may(session, 'orders:note');
  const allowed = (useOrderActions(now) ?? []).filter((action) => action.allowed);
  const choose = (found: OrderAction | undefined) => found && !isPast && setAsked(found);
  const chooseOne = (...names: readonly OrderAction['action'][]) =>
    choose(allowed.find(({ action }) => names.includes(action)));
  useShortcuts({ '[': () => show(version - 1), ']': () => show(version + 1) });
  useShortcuts(
    isBeside
      ? NO_KEYS
      : {
          n: () => setNoteOpen(mayNote && !isPast),
          a: () => chooseOne('approve', 'accept'),
          d: () => chooseOne('deny'),
          s: () => choose(nextAction(now, allowed) ?? allowed.find((action) => corrects(action, now))),
          '?': () => setHelpOpen(true),
        },
  );
  return (
    <div className={`${isBeside ? '' : 'page '}order${isPast ? ' past' : ''}`}>
      <div className="order-top small">
        {!isBeside && <Link to="/orders">← {words.back}</Link>}
        <Presence orderId={now.id} />
      </div>
      <OrderHeader
        order={order}
        isPast={isPast}
        mayChange={may(session, 'orders:act') && !session?.operator.sellers && !isPast}
        actions={
          <ActionButtons
            order={now}
            isPast={isPast}
            mayErase={may(session, 'orders:erase') && now.personal_data === 'kept'}
            onChoose={setAsked}
            onErase={() => setAsked('erase')}
            mayDispute={may(session, 'money:act') && now.status !== null}
            onDispute={() => setAsked('dispute')}
          >
            {may(session, 'orders:act') && <MacroMenu orderId={now.id} isOff={isPast} onDone={setDone} />}
          </ActionButtons>
        }
      />
      <p role="status" className={done === '' ? 'visually-hidden' : 'news'}>
        {done}
      </p>
      <Cards
        shown={shown}
        now={now}
        session={session}
        onCorrect={setAsked}
        notes={<NotesCard order={order} isPast={isPast} open={noteOpen} onOpen={setNoteOpen} />}
      />
      <AsOf
        version={version}
        latest={now.version}
        at={order.updated_at}
        compared={compared}
        onChange={show}
        onDay={(day) => void shown.showDay(day)}
        onCompare={shown.compare}
      />
      {compared !== null && (
        <VersionChanges id={now.id} from={Math.min(version, compared)} to={Math.max(version, compared)} />
      )}
      <Timeline order={order} isPast={isPast} />
      <RawEvents id={now.id} version={version} />
      <OrderDialogs order={now} asked={asked} onClose={() => setAsked(null)} onDone={setDone} />
      <ShortcutList keys={words.keys} opened={helpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  );
}

type CardsProps = Readonly<{
  shown: ReturnType<typeof useShownVersion>;
  now: OrderDetail;
  session: Session | null | undefined;
  notes: ReactNode;
  onCorrect: (action: OrderAction) => void;
}>;

/** Three columns, each as high as its cards. What comes later than the order is last in its column, or below them. */
function Cards({ shown: { order, isPast, isOld }, now, session, notes, onCorrect }: CardsProps) {
  const mayAct = may(session, 'orders:act') && !isPast;
  const maySend = !isPast && (may(session, 'delivery:act') || (may(session, 'delivery:read') && mayAct));
  return (
    <Stale when={isOld} className="cards" note={false}>
      <div className="card-column">
        <TicketCard order={order} />
        <FulfillmentCard order={order} now={now} isPast={isPast} onCorrect={onCorrect} />
        <TicketFilesCard order={now} mayAct={mayAct} />
      </div>
      <div className="card-column">
        <BuyerCard order={order} mayReveal={may(session, 'orders:reveal') && !isPast} />
        {notes}
      </div>
      <div className="card-column">
        <MoneyCard order={order} now={now} mayRefund={mayAct} />
        <PingCard order={order} maySend={maySend} />
        <MailCard order={now} mayAct={mayAct} />
      </div>
      <DeliveryCard order={order} mayAct={mayAct} />
      <RefundCard order={now} mayAnswer={may(session, 'money:act') && !isPast} />
    </Stale>
  );
}
