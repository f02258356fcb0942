import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { MoneyReport, OrdersReport, TimesReport } from '#desk/report.contract';
import { ask } from '../api/http.js';
import { may, sessionQuery } from '../api/session.js';
import type { OrdersSearch } from '../orders/list-address.js';
import { durationText } from '../words/durations.js';
import { money as dollars, number, percent } from '../words/formats.js';
import { reportWords } from './report-words.js';
import { type Days, placedIn } from './period.js';

type Props = Readonly<{
  range: Days;
  orders: OrdersReport['totals'] | undefined;
  money: MoneyReport['totals'] | undefined;
  times: TimesReport['totals'] | undefined;
}>;

const { tile: words, tileHint: hint } = reportWords;

/** The numbers of the whole period. */
export function Tiles({ range, orders, money, times }: Props) {
  const list = (filters: OrdersSearch) => ({ to: '/orders', search: placedIn(range, filters) });
  const confirmed = times?.confirm_p50_s ?? null;
  const shipped = times?.ship_p50_s ?? null;
  return (
    <ul className="tiles">
      <Tile name={words.orders} {...list({ stage: 'placed' })} hint={orders && hint.tickets(number(orders.tickets))}>
        {orders && number(orders.orders)}
      </Tile>
      <Tile name={words.money} {...list({ status: 'confirmed' })} hint={money && hint.total(dollars(money.total))}>
        {money && dollars(money.confirmed)}
      </Tile>
      <Tile
        name={words.rejected}
        {...list({ status: 'rejected' })}
        hint={orders && (orders.orders > 0 ? hint.share(percent(orders.rejected / orders.orders)) : hint.nothing)}
      >
        {orders && number(orders.rejected)}
      </Tile>
      <Tile
        name={words.confirm}
        {...list({ queue: 'to_confirm' })}
        hint={times && (confirmed === null ? hint.nothing : hint.confirm(number(times.confirmed)))}
      >
        {times && (confirmed === null ? '–' : durationText(confirmed))}
      </Tile>
      <Tile
        name={words.ship}
        {...list({ queue: 'to_ship,to_deliver' })}
        hint={times && (shipped === null ? hint.nothing : hint.ship(number(times.shipped)))}
      >
        {times && (shipped === null ? '–' : durationText(shipped))}
      </Tile>
      <PingTile />
    </ul>
  );
}

/** Pings of the last hour, for those who may see them. */
function PingTile() {
  const { data: session } = useQuery(sessionQuery);
  const { data } = useQuery({
    queryKey: ['delivery-health'],
    queryFn: ({ signal }) => ask('GET delivery/health', { signal }),
    enabled: may(session, 'delivery:read'),
    refetchInterval: 10_000,
    retry: false,
  });
  const platform = data?.endpoints.find(({ kind }) => kind === 'platform');
  if (!platform) return null;
  const { success_rate: rate, attempts } = platform;
  return (
    <Tile
      name={words.pings}
      to="/delivery"
      search={{}}
      hint={rate === null ? hint.nothing : hint.attempts(number(attempts))}
    >
      {rate === null ? '–' : percent(rate)}
    </Tile>
  );
}

type TileProps = Readonly<{
  name: string;
  to: string;
  search: OrdersSearch;
  hint: string | undefined;
  /** Undefined while it is loaded. */
  children: ReactNode;
}>;

function Tile({ name, to, search, hint: below, children }: TileProps) {
  return (
    <li>
      <Link to={to} search={search} className="tile">
        <span className="soft small">{name}</span>
        <strong>{children ?? <span className="skeleton" />}</strong>
        <span className="soft small">{below ?? ' '}</span>
      </Link>
    </li>
  );
}
