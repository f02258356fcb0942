import type { Measurement } from '../measurement.js';

export const pingLatency: Measurement = {
  name: 'ping-latency',
  about: 'from the 201 to the ping, at 200 purchases a second',
  async run({ say }) {
    say('is being written');
    return [];
  },
};
