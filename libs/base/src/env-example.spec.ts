import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { envExample } from './env-example.js';
import { parseSettings } from './load-settings.js';
import { schema } from './config/settings-schema.js';

describe('.env.example', () => {
  const written = readFileSync(join(import.meta.dirname, '../../../.env.example'), 'utf8');

  it('is what the schema generates', () => {
    expect(written).toBe(envExample());
  });

  it('has exactly the keys of the schema, all with a description, and changes nothing', () => {
    expect(Object.keys(parseEnv(written)).toSorted()).toEqual(Object.keys(schema.shape).toSorted());
    expect(Object.values(schema.shape).every((field) => field.description)).toBe(true);
    expect(parseSettings(parseEnv(written))).toEqual(parseSettings({}));
  });
});
