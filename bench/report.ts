import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Figure, meetsTarget } from './measurement.js';

const RESULTS = resolve(import.meta.dirname, '../../bench/results');

export function printFigures(figures: readonly Figure[]): void {
  const rows = figures.map((figure) => [figure.name, valueOf(figure), targetOf(figure), figure.detail]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}

/** Returns the name of the file. */
export function writeFigures(
  figures: readonly Figure[],
  { file, quick }: { file: string | undefined; quick: boolean },
): string {
  const at = new Date().toISOString();
  const target = file ?? join(RESULTS, `${at.slice(0, 19).replaceAll(':', '')}.json`);
  const machine = {
    node: process.version,
    kernel: release(),
    cpus: cpus().map(({ model }) => model),
    memory: totalmem(),
  };
  const document = { at, quick, machine, figures: figures.map((figure) => ({ ...figure, met: meetsTarget(figure) })) };
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, `${JSON.stringify(document, null, 2)}\n`);
  return target;
}

function valueOf({ value, unit }: Figure): string {
  const digits = unit.startsWith('of the') || unit === 'times' ? 2 : value < 100 ? 1 : 0;
  const number = value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${number} ${unit}`;
}

function targetOf(figure: Figure): string {
  const { target } = figure;
  if (!target) return 'reported';
  const wanted = 'atLeast' in target ? `>= ${target.atLeast}` : `<= ${target.atMost}`;
  return `${wanted} ${meetsTarget(figure) ? 'met' : 'NOT MET'}`;
}
