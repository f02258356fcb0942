import { OrderCore1764000000000 } from './migrations/1764000000000-order-core.js';
import { Catalogue1764300000000 } from './migrations/1764300000000-catalogue.js';

/** Every migration there is, oldest first. One that was released is never changed. */
export const migrations = [OrderCore1764000000000, Catalogue1764300000000];
