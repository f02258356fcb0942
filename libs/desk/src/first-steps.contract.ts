import { z } from 'zod';

export const FIRST_STEPS = ['listing', 'purchase', 'colleague', 'platform', 'webhook'] as const;

/** Answer of GET /backoffice/v1/first-steps. */
export const FirstStepList = z
  .object({
    steps: z.array(
      z.object({
        id: z.enum(FIRST_STEPS).meta({
          description:
            'a `listing` of your own, a `purchase` that is no sample, a second `colleague`, a `platform` (a client that you added, or PLATFORM_URL), a `webhook`',
        }),
        done: z.boolean(),
      }),
    ),
    sandbox: z.boolean().meta({ description: 'whether the built-in platform can buy' }),
  })
  .meta({ id: 'FirstStepList' });
export type FirstStepList = z.infer<typeof FirstStepList>;
