import type { Measurement } from '../measurement.js';

export const footprint: Measurement = {
  name: 'footprint',
  about: 'round trips and WAL of a purchase, memory under load, what npm start takes',
  async run({ say }) {
    say('is being written');
    return [];
  },
};
