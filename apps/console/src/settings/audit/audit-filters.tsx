import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { auditWords as words } from './audit-words.js';

const TEXTS = ['actor', 'action', 'subject'] as const;
const DAYS = ['from', 'to'] as const;
const FIELDS = [...TEXTS, ...DAYS];

/** What the address of the audit log says: whole texts, and days of the reader's clock. */
export type AuditFilter = Partial<Readonly<Record<(typeof FIELDS)[number], string>>>;

export function auditFilterOf(search: Readonly<Record<string, unknown>>): AuditFilter {
  const texts: { -readonly [Field in keyof AuditFilter]: AuditFilter[Field] } = {};
  for (const field of FIELDS) {
    const text = search[field];
    if (typeof text === 'string') texts[field] = text;
  }
  const { from, to, ...rest } = filled(texts);
  return { ...rest, ...(isDay(from) && { from }), ...(isDay(to) && { to }) };
}

const isDay = (text: string | undefined): text is string =>
  /^\d{4}-\d{2}-\d{2}$/.test(text ?? '') && !Number.isNaN(Date.parse(`${text}T00:00`));

const filled = (typed: AuditFilter): AuditFilter =>
  Object.fromEntries(
    Object.entries(typed)
      .map(([field, text]) => [field, text.trim()] as const)
      .filter(([, text]) => text !== ''),
  );

export function AuditFilters({ asked }: Readonly<{ asked: AuditFilter }>) {
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
          <input placeholder={words.hints[name]} spellCheck={false} autoComplete="off" {...field(name)} />
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
