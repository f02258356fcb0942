import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Orders are found by their tracking number without blanks. The column is a copy for searches; the events stay as they are. */
export class TrackingNumbersWithoutBlanks1769600010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`update orders set tracking_number = regexp_replace(tracking_number, '${BLANKS}', '', 'g')
      where tracking_number ~ '${BLANKS}'`);
  }

  async down(): Promise<void> {
    throw new Error('The blanks are in the events only: this migration has no way back.');
  }
}

// Blanks and invisible characters, as `withoutBlanks` of the domain has them. PostgreSQL knows no class for them.
const BLANKS = String.raw`[\s\u00a0\u00ad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]`;
