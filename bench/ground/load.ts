import type { LoadOrder, LoadResult } from './load-generator.js';
import { SideProcess } from './side-process.js';

/** Sends load from a process of its own, one order after another; fails when an answer has another status than was ordered. */
export class Load extends SideProcess<LoadOrder, LoadResult> {
  constructor() {
    super('ground/load-generator.ts');
  }
}

/** The connections of the figures in issue 2. */
export const CONNECTIONS = 50;
