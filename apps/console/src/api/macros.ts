import { queryOptions } from '@tanstack/react-query';
import type { Macro, MacroBody, MacroResult } from '#desk/macro.contract';
import { ask } from './http.js';

export const macrosQuery = queryOptions({
  queryKey: ['macros'],
  queryFn: async ({ signal }) => (await ask('GET macros', { signal })).macros,
});

/** @param id of the macro that changes; undefined for a new one */
export const saveMacro = (id: string | undefined, body: MacroBody): Promise<Macro> =>
  id === undefined ? ask('POST macros', { body }) : ask('PATCH macros/{id}', { path: { id }, body });

export const removeMacro = (id: string): Promise<void> => ask('DELETE macros/{id}', { path: { id } });

export const applyMacro = (orderId: string, macroId: string): Promise<MacroResult> =>
  ask('POST orders/{id}/macros/{macro_id}', { path: { id: orderId, macro_id: macroId } });
