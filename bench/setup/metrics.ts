import { request } from 'undici';
import type { Service } from './service.js';

/** The value of a line in /metrics, by all text before the value; NaN if there is no such line. */
export async function readMetric({ port }: Service, name: string): Promise<number> {
  const { body } = await request(`http://127.0.0.1:${port}/metrics`);
  const lines = (await body.text()).split('\n');
  return Number(lines.find((line) => line.startsWith(`${name} `))?.slice(name.length));
}
