import { expect, it } from 'vitest';
import { Clock } from '#base/clock';
import { DatabaseClock } from './database-clock.js';

const NOW = Date.parse('2026-11-22T12:00:00.000Z');
const HOUR = 3_600_000;

/** The system clock of a computer, which can be set, and its monotonic clock, which cannot. */
class Computer extends Clock {
  set = 0;
  passed = 5_000;

  now(): number {
    return NOW + this.passed + this.set;
  }

  override monotonic(): number {
    return this.passed;
  }
}

function simulation() {
  const computer = new Computer();
  const server = { ahead: 0, toServerMs: 0, fromServerMs: 0 };
  const pool = {
    query: async () => {
      computer.passed += server.toServerMs;
      const ms = NOW + computer.passed + server.ahead;
      computer.passed += server.fromServerMs;
      return { rows: [{ ms }] };
    },
  };
  const serverTime = () => NOW + computer.passed + server.ahead;
  return { computer, server, serverTime, clock: new DatabaseClock(pool as never, computer) };
}

it("returns the database's time, even if the computer is an hour ahead", async () => {
  const { computer, clock, serverTime } = simulation();
  computer.set = HOUR;
  await clock.read();
  expect(clock.now()).toBe(serverTime());
  computer.passed += 1_234.5;
  expect(clock.now()).toBe(Math.floor(serverTime()));
});

it('does not change when the system clock jumps and comes back', async () => {
  const { computer, clock, serverTime } = simulation();
  await clock.read();
  computer.set = HOUR;
  computer.passed += 6_000;
  expect(clock.now()).toBe(serverTime());
  computer.set = -HOUR;
  await clock.read();
  expect(clock.now()).toBe(serverTime());
});

it("follows the database when the server's clock is set", async () => {
  const { server, clock, serverTime } = simulation();
  await clock.read();
  server.ahead = -HOUR;
  await clock.read();
  expect(clock.now()).toBe(serverTime());
});

it('stays precise after a slow answer', async () => {
  const { server, clock, serverTime } = simulation();
  await clock.read();
  server.fromServerMs = 2_000;
  await clock.read();
  expect(Math.abs(clock.now() - serverTime())).toBeLessThanOrEqual(1);
});

it('is off by less than half of the time of a query', async () => {
  const { server, clock, serverTime } = simulation();
  [server.toServerMs, server.fromServerMs] = [30, 10];
  await clock.read();
  expect(Math.abs(clock.now() - serverTime())).toBeLessThanOrEqual(20);
});

it("returns the system's time until the first reading", () => {
  const { computer, clock } = simulation();
  expect(clock.now()).toBe(computer.now());
});
