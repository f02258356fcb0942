import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const LOGS_ONE_LINE = `
  import { createLogger } from '#platform/logger';
  createLogger('api', 'info', 'auto').warn({ path: 'a\\u001b[31mb' }, 'request');
`;

function logged(command: string, args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.trim();
}

// `script` of util-linux gives its command a terminal. Every Debian has it.
const hasScript = spawnSync('script', ['--version']).status === 0;
if (!hasScript) console.log('Skipped without `script`: the logs on a terminal.');

describe('a log with LOG_FORMAT=auto', () => {
  it('is JSON if it is piped', () => {
    const line = logged(process.execPath, ['--input-type=module', '-e', LOGS_ONE_LINE]);
    expect(JSON.parse(line)).toMatchObject({ level: 'warn', process: 'api', message: 'request', path: 'a\u001b[31mb' });
  });

  it.runIf(hasScript)(
    'is a readable line on a terminal, and shows control characters of others instead of obeying them',
    () => {
      const command = `${process.execPath} --input-type=module -e "$CODE"`;
      // Node.js shows no colours if CI, NO_COLOR or NODE_DISABLE_COLORS is set.
      const line = logged('env', [
        ...['CI', 'NO_COLOR', 'NODE_DISABLE_COLORS'].map((name) => `--unset=${name}`),
        `CODE=${LOGS_ONE_LINE}`,
        'TERM=xterm-256color',
        'script',
        '-qec',
        command,
        '/dev/null',
      ]);
      expect(line.split('\n')).toHaveLength(1);
      expect(() => JSON.parse(line) as unknown).toThrow();
      expect(line).toContain('request');
      expect(line).toContain('a<U+001B>[31mb');
      // The colours are ours.
      expect(line).toContain('\u001b[33mWARN');
    },
  );
});
