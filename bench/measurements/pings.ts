import type { Measurement } from '../measurement.js';

export const pings: Measurement = {
  name: 'pings',
  about: "drain of a backlog of pings on Redis against BullMQ's own rate with empty jobs",
  async run({ say }) {
    say('is being written');
    return [];
  },
};
