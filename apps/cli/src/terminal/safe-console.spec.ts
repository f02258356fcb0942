import { expect, it } from 'vitest';
import { escapeConsole } from './safe-console.js';

function printed(...values: unknown[]): string[] {
  const lines: string[] = [];
  const target = { log: (line: string) => void lines.push(line), error: (line: string) => void lines.push(line) };
  escapeConsole(target);
  target.log(...(values as [string]));
  target.error(...(values as [string]));
  return lines;
}

it('prints what a terminal would act on as text, from wherever it comes', () => {
  const hostile = 'a\u001b[2Jb\u009b31mc\rd\be\u202ef\u2066g\u0000';
  const text = String.raw`a\u{1b}[2Jb\u{9b}31mc\u{d}d\u{8}e\u{202e}f\u{2066}g\u{0}`;
  expect(printed(hostile)).toEqual([text, text]);
  expect(printed('%s', hostile)).toEqual([text, text]);
  const [shown] = printed(new Error(hostile));
  expect(shown).toContain(`Error: ${text}`);
  expect(shown).not.toMatch(/[^\P{Cc}\n]/u);
});

it('keeps lines, tabs and every script', () => {
  const text = 'one\n\ttwo — Zoë, 東京, שלום, 🎟';
  expect(printed(text)).toEqual([text, text]);
});
