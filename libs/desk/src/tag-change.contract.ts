import { z } from 'zod';
import { OrderTags } from '#orders/order-desk.contract';

/** Fields of a change of tags. */
export const tagChange = { add: OrderTags.optional(), remove: OrderTags.optional() };

type Given = Readonly<{ add?: readonly string[] | undefined; remove?: readonly string[] | undefined }>;

/** The change does something, and says of each tag whether it comes or goes. */
export const eachTagOnce = [
  z.refine<Given>(({ add = [], remove = [] }) => add.length + remove.length > 0, 'give tags to add or to remove'),
  z.refine<Given>(
    ({ add = [], remove = [] }) => !add.some((tag) => remove.includes(tag)),
    'a tag cannot be added and removed',
  ),
] as const;
