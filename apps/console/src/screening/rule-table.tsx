import { Button } from '@mantine/core';
import { type Asked, DataTable } from '../frame/data-table.js';
import { UpIcon } from '../frame/icons.js';
import { NamedText } from '../frame/named-text.js';
import { denials } from '../words/answers.js';
import { conditionText } from './condition-text.js';
import { type Entry, KINDS, type RuleKind } from './rule-kinds.js';
import { screeningWords as words } from './screening-words.js';

type Act = (entry: Entry) => void;
type Props = Readonly<{
  kind: RuleKind;
  entries: readonly Entry[];
  query: Asked;
  onUp: Act;
  onSwitch: Act;
  onEdit: Act;
  onRemove: Act;
}>;

/** What each rule asks and does. The first policy that fits decides, so policies can be moved up. */
export function RuleTable({ kind, entries, query, onUp, onSwitch, onEdit, onRemove }: Props) {
  const { words: own } = KINDS[kind];
  return (
    <DataTable
      label={own.title}
      rows={entries}
      keyOf={({ id, name }) => id ?? name}
      empty={own.empty}
      query={query}
      columns={[
        { id: 'name', name: words.name, cell: ({ name }) => <strong>{name}</strong> },
        { id: 'condition', name: words.condition, cell: ({ where }) => conditionText(where) },
        { id: 'does', name: words.does, cell: doesText },
        { id: 'state', name: words.state, cell: ({ enabled }) => <State on={enabled} /> },
        {
          id: 'acts',
          name: '',
          end: true,
          cell: (entry) => (
            <span className="row end">
              {kind === 'policies' && entries.indexOf(entry) > 0 && (
                <button
                  type="button"
                  className="icon-button"
                  aria-label={words.up(entry.name)}
                  onClick={() => onUp(entry)}
                >
                  <UpIcon />
                </button>
              )}
              <Button variant="default" size="compact-sm" onClick={() => onSwitch(entry)}>
                <NamedText
                  text={entry.enabled ? words.switchOff : words.switchOn}
                  name={words.switchOf(entry.name, entry.enabled)}
                />
              </Button>
              <Button
                variant="default"
                size="compact-sm"
                aria-label={words.editOf(entry.name)}
                onClick={() => onEdit(entry)}
              >
                {words.edit}
              </Button>
              <Button
                variant="default"
                size="compact-sm"
                aria-label={words.removeOf(entry.name)}
                onClick={() => onRemove(entry)}
              >
                {words.remove}
              </Button>
            </span>
          ),
        },
      ]}
    />
  );
}

function State({ on }: Readonly<{ on: boolean }>) {
  return <span className={`status ${on ? 'confirmed' : 'none'}`}>{on ? words.on : words.off}</span>;
}

function doesText({ action, reason, score }: Entry): string {
  if (action === 'deny') return words.policies.denies(denials[reason ?? 'denied'].name);
  if (action === 'accept') return words.policies.actions['accept'] ?? '';
  if (action === 'reject') return words.fraud.actions.reject;
  return score === undefined || score === 100 ? words.fraud.holds : words.fraud.adds(score);
}
