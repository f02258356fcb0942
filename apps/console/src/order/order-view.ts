import { type ComponentType, createContext } from 'react';
import type { OrderDetail } from '#orders/order.contract';
import type { VersionChoice } from './use-shown-version.js';

export type OrderViewProps = Readonly<{
  now: OrderDetail;
  versions: VersionChoice;
  /** It stands beside a list, which has the keys and the acts that they mean. */
  isBeside?: boolean;
}>;

/**
 * An order with all that can be done with it, for pages that are loaded later. If they imported it, the first file of the console would be
 * cut into pieces, which are larger together.
 */
export const OrderView = createContext<ComponentType<OrderViewProps>>(() => null);
