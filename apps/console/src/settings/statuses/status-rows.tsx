import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { StatusCatalogueSource } from '#orders/status-catalogue.contract';
import { DataTable } from '../../frame/data-table.js';
import { Section } from '../../frame/section.js';
import { statusesWords as words } from './statuses-words.js';
import { type Draft, type DraftRow, GROUPS, withNewRow, withRow } from './status-catalogue-draft.js';

type Props = Readonly<{
  draft: Draft;
  events: StatusCatalogueSource['events'];
  faults: Readonly<Record<string, string>>;
  onChange: (draft: Draft) => void;
}>;

const GROUP_OPTIONS = GROUPS.map((value) => ({ value, label: words.name[value] }));

/** The statuses, a row of fields each. */
export function StatusRows({ draft, events, faults, onChange }: Props) {
  const field = (row: DraftRow, name: Exclude<keyof DraftRow, 'key'>, label: string) => {
    const fault = faults[`statuses.${draft.rows.indexOf(row)}.${name}`];
    const code = row.status_code === '' ? words.newStatus : row.status_code;
    return {
      size: 'xs' as const,
      'aria-label': words.fieldOf(label, code),
      value: row[name],
      ...(fault !== undefined && { error: fault }),
      onChange: ({ currentTarget }: Readonly<{ currentTarget: { value: string } }>) =>
        onChange(withRow(draft, changed(row, name, currentTarget.value))),
    };
  };
  return (
    <Section
      title={words.statuses}
      action={
        <Button variant="default" size="compact-sm" onClick={() => onChange(withNewRow(draft))}>
          {words.add}
        </Button>
      }
    >
      <DataTable
        label={words.statuses}
        rows={draft.rows}
        keyOf={({ key }) => String(key)}
        empty=""
        columns={[
          {
            id: 'code',
            name: words.code,
            cell: (row) => <TextInput {...field(row, 'status_code', words.code)} inputMode="numeric" />,
          },
          {
            id: 'group',
            name: words.group,
            cell: (row) => <NativeSelect {...field(row, 'status', words.group)} data={GROUP_OPTIONS} />,
          },
          {
            id: 'message',
            name: words.message,
            cell: (row) => <TextInput {...field(row, 'status_message', words.message)} />,
          },
          {
            id: 'event',
            name: words.event,
            cell: (row) => (
              <NativeSelect
                {...field(row, 'event', words.event)}
                data={[{ value: '', label: words.usual }, ...events[row.status]]}
              />
            ),
          },
          {
            id: 'label',
            name: words.label,
            cell: (row) => <TextInput {...field(row, 'label', words.label)} placeholder={words.noLabel} />,
          },
          {
            id: 'acts',
            name: '',
            end: true,
            cell: (row) => (
              <Button
                variant="default"
                size="compact-xs"
                aria-label={words.removeOf(row.status_code)}
                onClick={() => onChange({ ...draft, rows: draft.rows.filter(({ key }) => key !== row.key) })}
              >
                {words.remove}
              </Button>
            ),
          },
        ]}
      />
    </Section>
  );
}

/** Events belong to a status, so another status has the usual one. */
function changed(row: DraftRow, name: Exclude<keyof DraftRow, 'key'>, value: string): DraftRow {
  if (name === 'status_code') return { ...row, status_code: value.replaceAll(/\D/g, '') };
  return name === 'status'
    ? { ...row, status: GROUPS.find((one) => one === value) ?? row.status, event: '' }
    : { ...row, [name]: value };
}
