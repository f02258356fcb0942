import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { OrderDetail } from '#orders/order.contract';
import type { OrderAction } from '#orders/order-action.contract';
import { actionsQuery, orderAsOfQuery, orderQuery } from '../api/desk.js';
import { may, sessionQuery } from '../api/session.js';
import { KeyList } from '../frame/key-list.js';
import { Stale } from '../frame/stale.js';
import { UnreadPage } from '../frame/unread-page.js';
import { useKeys } from '../frame/use-keys.js';
import { lazyPart } from '../frame/lazy-part.js';
import { deskWords } from './edit/order-desk-words.js';
import { orderWords as words } from './order-words.js';
import { replacementWords } from './replacement-words.js';
import { ActionButtons } from './action-buttons.js';
import { ActionDialog } from './action-dialog.js';
import { AsOf } from './as-of.js';
import { BuyerCard } from './buyer-card.js';
import { FulfillmentCard } from './fulfillment-card.js';
import { MailCard } from './mail-card.js';
import { MoneyCard } from './money-card.js';
import { NoteForm } from './note-form.js';
import { OrderHeader } from './order-header.js';
import { PingCard } from './ping-card.js';
import { RawEvents } from './raw-events.js';
import { TicketCard } from './ticket-card.js';
import { TicketFilesCard } from './ticket-files-card.js';
import { Timeline } from './timeline.js';
import { pollingOf, useLiveOrder } from './use-live-order.js';

const ReplacementDialog = lazyPart(async () => (await import('./replacement-dialog.js')).ReplacementDialog);
const VersionChanges = lazyPart(async () => (await import('./version-changes.js')).VersionChanges);
const EraseDialog = lazyPart(async () => (await import('./edit/erase-dialog.js')).EraseDialog);

const BACK = { to: '/orders', name: words.back } as const;

export function OrderPage() {
  const { id } = useParams({ from: '/frame/orders/$id' });
  useLiveOrder(id);
  const one = useQuery({
    ...orderQuery(id),
    refetchInterval: ({ state }) => pollingOf(state),
  });
  const { data: now } = one;
  useEffect(() => {
    if (now) document.title = `${now.id} · Willcall`;
  }, [now?.id]);
  if (now) return <LoadedOrder now={now} key={now.id} />;
  return <UnreadPage back={BACK} title={id} query={one} missing={words.notFoundHint(id)} />;
}

function LoadedOrder({ now }: Readonly<{ now: OrderDetail }>) {
  const search = useSearch({ from: '/frame/orders/$id' });
  const navigate = useNavigate();
  const asked = Number(search.version);
  const version = Number.isInteger(asked) && asked >= 1 && asked < now.version ? asked : now.version;
  const isPast = version !== now.version;
  const other = Number(search.compare);
  const compared = Number.isInteger(other) && other >= 1 && other <= now.version && other !== version ? other : null;
  const { data: then, isPlaceholderData: isStale } = useQuery({
    ...orderAsOfQuery(now.id, version),
    enabled: isPast,
    placeholderData: keepPreviousData,
  });
  const order = isPast ? (then ?? now) : now;
  // Neither of another version, nor of now, while the version is on its way.
  const isOld = isPast && (isStale || !then);

  const { data: session } = useQuery(sessionQuery);
  const [action, setAction] = useState<OrderAction | null>(null);
  const [erasing, setErasing] = useState(false);
  const [done, setDone] = useState('');
  const [noteOpen, setNoteOpen] = useState(false);
  const [helpOpen, setHelpOpen] = useState(false);
  const show = (to: number) => {
    const target = Math.max(1, Math.min(now.version, to));
    void navigate({
      to: '/orders/$id',
      params: { id: now.id },
      search: addressOf(target, compared),
      replace: isPast && target !== now.version,
    });
  };
  const { timeline } = search;
  const addressOf = (target: number, other: number | null) => ({
    ...(timeline !== undefined && { timeline }),
    ...(target !== now.version && { version: String(target) }),
    ...(other !== null && other !== target && { compare: String(other) }),
  });
  const compare = (other: number | null) =>
    void navigate({ to: '/orders/$id', params: { id: now.id }, search: addressOf(version, other) });
  const mayNote = may(session, 'orders:note');
  const { data: actions = [] } = useQuery(actionsQuery(now.id, now.version));
  const choose = (...names: readonly OrderAction['action'][]) => {
    const found = actions.find(({ action, allowed }) => names.includes(action) && allowed);
    if (found && !isPast) setAction(found);
  };
  useKeys({
    '[': () => show(version - 1),
    ']': () => show(version + 1),
    n: () => setNoteOpen(mayNote && !isPast),
    a: () => choose('approve', 'accept'),
    d: () => choose('deny'),
    s: () => choose(now.delivery_method.type === 'ship' ? 'ship' : 'deliver'),
    '?': () => setHelpOpen(true),
  });
  const maySend =
    !isPast && (may(session, 'delivery:act') || (may(session, 'delivery:read') && may(session, 'orders:act')));

  return (
    <div className={`page order${isPast ? ' past' : ''}`}>
      <Link to="/orders" className="small">
        ← {words.back}
      </Link>
      <OrderHeader
        order={order}
        mayChange={may(session, 'orders:act') && !session?.operator.sellers && !isPast}
        actions={
          <ActionButtons
            order={now}
            isPast={isPast}
            mayErase={may(session, 'orders:erase') && now.personal_data === 'kept'}
            onChoose={setAction}
            onErase={() => setErasing(true)}
          />
        }
      />
      <p role="status" className={done === '' ? 'visually-hidden' : 'news'}>
        {done}
      </p>
      <Stale when={isOld} className="cards" note={false}>
        <TicketCard order={order} />
        <BuyerCard order={order} mayReveal={may(session, 'orders:reveal') && !isPast} />
        <MoneyCard order={order} now={now} />
        <FulfillmentCard order={order} now={now} isPast={isPast} onCorrect={setAction} />
        <PingCard order={order} maySend={maySend} />
        {/* They come later than the order, so they are below what comes with it. */}
        <TicketFilesCard order={now} mayAct={may(session, 'orders:act') && !isPast} />
        <MailCard order={now} mayAct={may(session, 'orders:act') && !isPast} />
      </Stale>
      <AsOf
        version={version}
        latest={now.version}
        at={order.updated_at}
        compared={compared}
        onChange={show}
        onCompare={compare}
      />
      {compared !== null && (
        <VersionChanges id={now.id} from={Math.min(version, compared)} to={Math.max(version, compared)} />
      )}
      {mayNote && (
        <NoteForm
          orderId={now.id}
          hasChoice={!session?.operator.sellers}
          open={noteOpen}
          onOpen={setNoteOpen}
          isPast={isPast}
        />
      )}
      <Timeline order={order} isPast={isPast} />
      <RawEvents id={now.id} version={version} />
      {action?.action === 'offer_replacement' && (
        <ReplacementDialog
          order={now}
          onClose={() => setAction(null)}
          onDone={() => {
            setAction(null);
            setDone(replacementWords.done);
          }}
        />
      )}
      {action && action.action !== 'offer_replacement' && (
        <ActionDialog
          order={now}
          action={action}
          onClose={() => setAction(null)}
          onDone={({ label }) => {
            setAction(null);
            setDone(words.dialog.done(label));
          }}
        />
      )}
      {erasing && (
        <EraseDialog
          order={now}
          onClose={() => setErasing(false)}
          onDone={() => {
            setErasing(false);
            setDone(deskWords.erased);
          }}
        />
      )}
      <KeyList keys={words.keys} opened={helpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  );
}
