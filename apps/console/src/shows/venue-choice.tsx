import '../order-transfer/order-transfer.css';
import { TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ShowVenues } from '#desk/show-list.contract';
import { ask } from '../api/http.js';
import { Failure } from '../frame/failure.js';
import { LONGEST_SHOW_QUESTION } from '#desk/desk.limits';
import { showRunWords } from './show-run-words.js';

export type FoundVenue = ShowVenues['venues'][number];

const words = showRunWords.move;
const PAUSE_MS = 150;
const MOST = 6;

type Props = Readonly<{ chosen: FoundVenue | undefined; onChoose: (venue: FoundVenue) => void }>;

/** Finds a venue of the catalogue by its name or city. The chosen one stays in sight. */
export function VenueChoice({ chosen, onChoose }: Props) {
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['show-venues', asked],
    queryFn: ({ signal }) => ask('GET events/venues', { query: { q: asked }, signal }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  });
  const found = asked === '' ? [] : (data?.venues ?? []).slice(0, MOST);
  // Of an earlier text, or of one that is still being typed.
  const isStale = isPlaceholderData || asked !== typed.trim();
  const others = found.filter(({ id }) => id !== chosen?.id);
  const isOld = ({ id }: FoundVenue) => isStale && id !== chosen?.id;
  return (
    <div className="stack">
      <TextInput
        label={words.search}
        description={words.searchHint}
        value={typed}
        maxLength={LONGEST_SHOW_QUESTION}
        autoComplete="off"
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        data-autofocus
      />
      {error && <Failure error={error} />}
      {(chosen || others.length > 0) && (
        <fieldset className="radio-choices">
          <legend className="visually-hidden">{words.found}</legend>
          {[...(chosen ? [chosen] : []), ...others].map((venue) => (
            <label key={venue.id} className={isOld(venue) ? 'choice stale' : 'choice'}>
              <input
                type="radio"
                name="venue"
                checked={venue.id === chosen?.id}
                disabled={isOld(venue)}
                onChange={() => onChoose(venue)}
              />{' '}
              <span>
                {venue.name} <span className="soft">{[venue.city, venue.state].filter(Boolean).join(', ')}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {asked !== '' && data?.venues.length === 0 && (
        <p className="soft small" role="status">
          {words.none}
        </p>
      )}
    </div>
  );
}
