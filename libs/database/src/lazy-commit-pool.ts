import { Pool } from 'pg';

/** Commits do not wait for the disk. For work by key that can be redone after a crash. */
export abstract class LazyCommitPool extends Pool {}
