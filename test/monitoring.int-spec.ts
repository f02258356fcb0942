import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DASHBOARD_FILE, grafanaDashboard } from '../tools/grafana-dashboard.mjs';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const ALERTS = 'deploy/monitoring/alerts.yml';
const TESTS = 'deploy/monitoring/alerts.test.yml';

/** Without the endings of a histogram's series. */
const metricsIn = (text: string) =>
  new Set([...text.matchAll(/\bwillcall_[a-z_]+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, '')));
const alertsIn = (text: string, key: string) => [...text.matchAll(new RegExp(`${key}: (Willcall\\w+)`, 'g'))];

/** `test/readme.e2e-spec.ts` compares them with what the programs export. */
const documented = new Set(
  [...read('docs/monitoring.md').matchAll(/^\| `(willcall_\w+)/gm)].map(([, name = '']) => name),
);

describe.each([ALERTS, DASHBOARD_FILE])('%s', (path) => {
  it('names only metrics of docs/monitoring.md', () => {
    const named = metricsIn(read(path));
    expect(named.size).toBeGreaterThan(10);
    expect([...named].filter((name) => !documented.has(name))).toEqual([]);
  });
});

describe('the dashboard', () => {
  it('is up to date (run `npm run docs`)', () => {
    expect(read(DASHBOARD_FILE) === grafanaDashboard()).toBe(true);
  });
});

describe('the alerts', () => {
  it('are tried each as it fires and as it does not', () => {
    const tried = alertsIn(read(TESTS), 'alertname').map(([, name = '']) => name);
    for (const [, name = ''] of alertsIn(read(ALERTS), 'alert')) {
      expect(tried.filter((one) => one === name).length, name).toBeGreaterThan(1);
    }
  });

  const promtool = spawnSync('promtool', ['--version']).status === 0;
  it.skipIf(!promtool)('fire when their tests say so (promtool)', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', TESTS], { cwd: root, encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
  });
});
