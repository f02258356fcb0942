import { OrderCore1764000000000 } from './migrations/1764000000000-order-core.js';

/** Every migration there is, oldest first. One that was released is never changed. */
export const migrations = [OrderCore1764000000000];
