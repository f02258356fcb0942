import { z } from 'zod';

/** Answer to POST /backoffice/v1/test-purchases. */
export const TestPurchase = z
  .object({ id: z.string().meta({ description: 'of the order' }) })
  .meta({ id: 'TestPurchase' });
export type TestPurchase = z.infer<typeof TestPurchase>;
