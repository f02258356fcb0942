import { z } from 'zod';

/** Query of GET /passes/v1/devices/{device}/registrations/{pass_type}. */
export const UpdatedPassesQuery = z.object({
  passesUpdatedSince: z.string().max(30).optional().meta({ description: '`lastUpdated` of an earlier answer' }),
});
export type UpdatedPassesQuery = z.output<typeof UpdatedPassesQuery>;

/** Answer to it. */
export const UpdatedPassList = z
  .object({ serialNumbers: z.array(z.string()), lastUpdated: z.string() })
  .meta({ id: 'UpdatedPassList' });
export type UpdatedPassList = z.infer<typeof UpdatedPassList>;

/** Body of POST /passes/v1/log. */
export const DeviceLog = z
  .object({ logs: z.array(z.string()).max(1_000) })
  .meta({ id: 'DeviceLog', examples: [{ logs: ['Web service error: The response is not a valid pass.'] }] });
export type DeviceLog = z.infer<typeof DeviceLog>;
