import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useId, useState } from 'react';
import type { AuditEntry } from '#accounts/audit.contract';
import { actionText, partsOf } from './audit-text.js';
import { dayAfter, isDay, midnightOf } from '../../words/time-zone.js';
import { auditWords as words } from './audit-words.js';

const TEXTS = ['actor', 'action', 'subject'] as const;
const DAYS = ['from', 'to'] as const;
const FIELDS = [...TEXTS, ...DAYS];

/** What the address of the audit log says: whole texts, and days of the reader's clock. */
export type AuditFilter = Partial<Readonly<Record<(typeof FIELDS)[number], string>>>;

/** The filters of the api: instants in place of days. */
export type AuditQuery = AuditFilter;

/** Days are whole ones of the reader's clock. */
export function auditQueryOf({ from, to, ...texts }: AuditFilter): AuditQuery {
  return {
    ...texts,
    ...(from !== undefined && { from: midnightOf(from).toISOString() }),
    ...(to !== undefined && { to: midnightOf(dayAfter(to)).toISOString() }),
  };
}

export function auditFilterOf(search: Readonly<Record<string, unknown>>): AuditFilter {
  const texts: { -readonly [Field in keyof AuditFilter]: AuditFilter[Field] } = {};
  for (const field of FIELDS) {
    const text = search[field];
    if (typeof text === 'string') texts[field] = text;
  }
  const { from, to, ...rest } = filled(texts);
  return { ...rest, ...(isDay(from) && { from }), ...(isDay(to) && { to }) };
}

const filled = (typed: AuditFilter): AuditFilter =>
  Object.fromEntries(
    Object.entries(typed)
      .map(([field, text]) => [field, text.trim()] as const)
      .filter(([, text]) => text !== ''),
  );

type Props = Readonly<{
  asked: AuditFilter;
  /** What the list shows: whoever looks for one of these need not know its code. */
  entries: readonly AuditEntry[];
}>;

export function AuditFilters({ asked, entries }: Props) {
  const lists = useId();
  const navigate = useNavigate();
  const [typed, setTyped] = useState(asked);
  const address = JSON.stringify(asked);
  // A text of the list, back and forward of the browser change the address too.
  useEffect(() => setTyped(asked), [address]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ to: '/settings/audit', search: filled(typed) });
  };
  const field = (name: keyof AuditFilter) => ({
    value: typed[name] ?? '',
    onChange: ({ currentTarget }: Readonly<{ currentTarget: HTMLInputElement }>) =>
      setTyped({ ...typed, [name]: currentTarget.value }),
  });
  return (
    <form className="filters audit-filters" onSubmit={submit}>
      {TEXTS.map((name) => (
        <label key={name}>
          {words[name]}
          <input
            placeholder={words.hints[name]}
            spellCheck={false}
            autoComplete="off"
            list={`${lists}${name}`}
            {...field(name)}
          />
          <datalist id={`${lists}${name}`}>
            {[...choices(name, entries)].map(([value, label]) => (
              <option key={value} value={value} label={label} />
            ))}
          </datalist>
        </label>
      ))}
      {DAYS.map((name) => (
        <label key={name} className="day">
          {words[name]}
          <input type="date" {...field(name)} />
        </label>
      ))}
      <Button type="submit" variant="default" size="sm">
        {words.filter}
      </Button>
      {address !== '{}' && (
        <Link to="/settings/audit" className="small">
          {words.all}
        </Link>
      )}
    </form>
  );
}

/** The codes of a column, each with its words. */
function choices(name: (typeof TEXTS)[number], entries: readonly AuditEntry[]): ReadonlyMap<string, string> {
  return new Map(
    entries.map((entry) => {
      const code = entry[name];
      if (name === 'action') return [code, actionText(code)];
      const { kind, id } = partsOf(code);
      return [code, (name === 'actor' ? entry.actor_name : entry.subject_name) ?? `${kind} ${id}`];
    }),
  );
}
