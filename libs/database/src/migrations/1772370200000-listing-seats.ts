import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which of the seats that a listing names are in orders, and of which order. Orders of before have no names. */
export class ListingSeats1772370200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table listings add column if not exists held_seats text[];
      alter table orders add column if not exists stock_seats json`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table orders drop column if exists stock_seats;
      alter table listings drop column if exists held_seats`);
  }
}
