import { useId } from 'react';
import { ListFilters } from '../frame/list-filters.js';
import { useSearchText } from '../frame/use-search-text.js';
import { isDay } from '../words/time-zone.js';
import { listingsWords as words } from './listing-words.js';

const STATES = ['on_sale', 'sold_out', 'withdrawn'] as const;

/** What the address of the list says. */
export type ListingFilter = Partial<Readonly<Record<'q' | 'state' | 'seller' | 'from' | 'to', string | undefined>>>;

/** The filters of the api. What is no day or state counts as none. */
export function listingQueryOf({ q, state, seller, from, to }: ListingFilter) {
  return {
    ...(q && { q }),
    state: STATES.find((one) => one === state),
    ...(seller && { seller }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
  };
}

type Props = Readonly<{
  asked: ListingFilter;
  /** Of the listings that are shown, to choose from. */
  sellers: readonly string[];
  /** Puts what is changed into the address. */
  onShow: (change: ListingFilter) => void;
}>;

/** What the list of listings is narrowed by: text, state, seller and the day of the show. */
export function ListingFilters({ asked, sellers, onShow }: Props) {
  const { q = '', state = '', seller = '' } = asked;
  const list = useId();
  const { text, setText } = useSearchText(seller, (typed) => onShow({ seller: typed }));
  return (
    <ListFilters
      search={words.search}
      hint={words.searchHint}
      choice={{ label: words.state, options: Object.entries(words.states) }}
      q={q}
      chosen={state}
      onShow={(typed, chosen) => onShow({ q: typed, state: chosen })}
    >
      <label className="named-filter">
        {words.seller}
        <input
          placeholder={words.sellerHint}
          spellCheck={false}
          autoComplete="off"
          list={list}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <datalist id={list}>
          {sellers.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
      {(['from', 'to'] as const).map((name) => (
        <label key={name} className="named-filter">
          {words[name]}
          <input
            type="date"
            value={asked[name] ?? ''}
            onChange={({ currentTarget }) => onShow({ [name]: currentTarget.value })}
          />
        </label>
      ))}
    </ListFilters>
  );
}
