import type { BackgroundTask } from '#platform/background-task';
import { repeatedTask } from '#platform/repeated-task';
import { ScreeningRules } from './screening/screening-rules.js';

/** Of every process that receives purchases. */
export const SCREENING_TASKS: readonly BackgroundTask[] = [
  repeatedTask({
    name: 'screening rules',
    does: 'Starts to use policies and fraud rules that were saved in another process.',
    seen: '`GET /backoffice/v1/policies`, `GET /backoffice/v1/fraud-rules`',
    everyMs: 2_000,
    handler: ScreeningRules,
    run: (rules) => rules.refresh(),
  }),
];
