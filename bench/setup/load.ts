import type { LoadRequest, LoadResult } from './load-generator.js';
import { SideProcess } from './side-process.js';

/** Sends load from a separate process, one run after another. Fails if an answer has another status than expected. */
export class Load extends SideProcess<LoadRequest, LoadResult> {
  constructor() {
    super('setup/load-generator.ts');
  }
}

/** As in the figures of issue 2. */
export const CONNECTIONS = 50;
