import type { Job } from '#desk/job.contract';
import { Facts } from '../frame/facts.js';
import { Section } from '../frame/section.js';
import { number } from '../words/formats.js';
import { jobWords } from './job-words.js';

const words = jobWords.choices;

/** What the buyers of a postponed show have chosen until now. */
export function JobChoices({ choices }: Readonly<{ choices: NonNullable<Job['choices']> }>) {
  return (
    <Section title={words.title}>
      <Facts
        facts={[
          [words.asked, number(choices.asked)],
          [words.kept, number(choices.kept)],
          [words.refunded, number(choices.refunded)],
          [words.open, number(choices.open)],
        ]}
      />
    </Section>
  );
}
