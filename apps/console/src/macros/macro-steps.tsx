import type { MacroStep } from '#desk/macro.contract';
import { sentenceOf } from './macro-sentences.js';
import { macroWords as words } from './macro-words.js';

/** Says what a macro does, step by step. */
export function MacroSteps({ steps }: Readonly<{ steps: readonly MacroStep[] }>) {
  return (
    <ol className="macro-steps" aria-label={words.follows}>
      {steps.map((step) => (
        <li key={step.type}>{sentenceOf(step)}</li>
      ))}
    </ol>
  );
}
