import { writeFileSync } from 'node:fs';
import { envExample } from '../dist/libs/config/src/env-example.js';

writeFileSync(new URL('../.env.example', import.meta.url), envExample());
