// The judgement on test files that failed and then passed alone.
import { writeFileSync } from 'node:fs';
import { textOf } from './files.mjs';

/**
 * Names and counts them, and keeps them in `record` for the next run. Returns the exit code: 1 if one of them is there from the last run,
 * because what fails twice in a row beside others has a fault.
 */
export function judgeRunsAgain(files, record) {
  const before = JSON.parse(textOf(record) || '[]');
  writeFileSync(record, JSON.stringify(files));
  if (files.length === 0) return 0;
  console.log(`\n${files.length} passed only when run again, alone (see above for what failed): ${files.join(', ')}`);
  const twice = files.filter((file) => before.includes(file));
  if (twice.length === 0) return 0;
  console.log(`In the last run too, so this run fails: ${twice.join(', ')}`);
  return 1;
}
