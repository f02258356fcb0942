import { NativeSelect } from '@mantine/core';
import { Section } from '../../frame/section.js';
import { statusesWords as words } from './statuses-words.js';
import { type Draft, GROUPS, ROLES } from './status-catalogue-draft.js';
import { Choices } from '../../frame/choices.js';

type Props = Readonly<{
  draft: Draft;
  faults: Readonly<Record<string, string>>;
  onChange: (draft: Draft) => void;
}>;

/** Which status may follow which. */
export function StatusTransitions({ draft, faults, onChange }: Props) {
  return (
    <Section title={words.follows}>
      <div className="status-rules">
        {GROUPS.map((from) => (
          <div key={from}>
            <Choices
              legend={words.mayBecome(words.name[from])}
              options={GROUPS}
              nameOf={(to) => words.name[to]}
              chosen={draft.transitions[from]}
              onChange={(to) => onChange({ ...draft, transitions: { ...draft.transitions, [from]: to } })}
            />
            {faults[`transitions.${from}`] !== undefined && (
              <p className="late small">{faults[`transitions.${from}`]}</p>
            )}
          </div>
        ))}
      </div>
    </Section>
  );
}

/** Which code Willcall sets by itself, and when. */
export function StatusRoles({ draft, faults, onChange }: Props) {
  const codes = draft.rows.map(({ status_code: value, status_message: message }) => ({
    value,
    label: `${value} ${message}`,
  }));
  return (
    <Section title={words.rolesTitle}>
      <div className="status-rules">
        {ROLES.map((role) => (
          <NativeSelect
            key={role}
            size="xs"
            label={sentence(words.role[role] ?? role)}
            data={known(codes, draft.roles[role])}
            value={draft.roles[role]}
            error={faults[`roles.${role}`]}
            onChange={({ currentTarget }) =>
              onChange({ ...draft, roles: { ...draft.roles, [role]: currentTarget.value } })
            }
          />
        ))}
      </div>
    </Section>
  );
}

type Option = Readonly<{ value: string; label: string }>;

/** A code whose status was removed is still shown: the server says that it is wrong. */
function known(codes: readonly Option[], code: string): Option[] {
  const options = codes.filter(({ value }, index) => codes.findIndex((other) => other.value === value) === index);
  return options.some(({ value }) => value === code) ? options : [...options, { value: code, label: code }];
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
