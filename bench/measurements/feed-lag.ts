import type { Measurement } from '../measurement.js';

export const feedLag: Measurement = {
  name: 'feed-lag',
  about: 'from the append to the feed, while another transaction stays open',
  async run({ say }) {
    say('is being written');
    return [];
  },
};
