/** What a step has done, as the audit log has it when the step is done by itself. */
export type StepEnd =
  | Readonly<{ outcome: 'unchanged' }>
  | Readonly<{ outcome: 'done'; action: string; detail: Readonly<Record<string, unknown>> }>;
