import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Settings } from '#base/settings';
import { IS_SAMPLE_LISTING, IS_SAMPLE_ORDER } from '#listings/sample-ids';
import { sampleListings } from '#listings/sample-listings.data';
import { FIRST_STEPS, type FirstStepList } from '../first-steps.contract.js';

type Done = Readonly<Record<(typeof FIRST_STEPS)[number], boolean>>;

/** How far a new installation is, from what exists. Nothing of the sample counts. */
@Injectable()
export class FirstSteps {
  constructor(
    private readonly pool: Pool,
    private readonly settings: Settings,
  ) {}

  async list(): Promise<FirstStepList> {
    const { CHECKOUT_CLIENT_ID: given = '', PLATFORM_URL, SANDBOX } = this.settings;
    const named = sampleListings.map(([id]) => id);
    const { rows } = await this.pool.query<Done>(DONE, [named, given, PLATFORM_URL !== undefined]);
    return { steps: FIRST_STEPS.map((id) => ({ id, done: rows[0]?.[id] === true })), sandbox: SANDBOX };
  }
}

// Each ends at the first row that counts. $1: the sample listings that have names, $2: the client of the settings, $3: PLATFORM_URL is set.
const DONE = `
  select exists (select from listings l where l.id <> all($1::text[]) and not ${IS_SAMPLE_LISTING}) as listing,
    exists (select from orders o where not ${IS_SAMPLE_ORDER}) as purchase,
    (select count(*) > 1 from operators where state <> 'removed') as colleague,
    $3::boolean or exists (select from clients where client_id <> $2) as platform,
    exists (select from webhooks) as webhook`;
