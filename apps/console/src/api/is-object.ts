/** Whether JSON is an object or a list, whose parts are then unknown. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
