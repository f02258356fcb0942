import { Pool } from 'pg';

/** For look-ups and writes by key that are merely done again after a crash: commits do not wait for the disk. */
export abstract class LazyCommitPool extends Pool {}
