import { NativeSelect } from '@mantine/core';
import { chooseTimeZone, timeZone } from '../words/time-zone.js';
import { accountWords } from './account-words.js';

const words = accountWords.timeZone;

/** The zone of the times on all pages. Each browser has its own. */
export function TimeZoneChoice() {
  return (
    <section className="section" aria-label={words.title}>
      <h2>{words.title}</h2>
      <NativeSelect
        label={words.label}
        description={words.hint}
        value={timeZone ?? ''}
        onChange={({ currentTarget: { value } }) => chooseTimeZone(value === '' ? undefined : value)}
      >
        <option value="">{words.own}</option>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone}>
            {zone.replaceAll('_', ' ')}
          </option>
        ))}
      </NativeSelect>
    </section>
  );
}
