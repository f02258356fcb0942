import { request } from 'undici';
import type { Service } from './service.js';

/** A line of a service's /metrics by all that stands before its value; NaN without such a line. */
export async function readMetric({ port }: Service, name: string): Promise<number> {
  const { body } = await request(`http://127.0.0.1:${port}/metrics`);
  const lines = (await body.text()).split('\n');
  return Number(lines.find((line) => line.startsWith(`${name} `))?.slice(name.length));
}
