import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DatabaseError, Pool } from 'pg';
import { storedCondition, storedRuleCondition } from '../order-condition.contract.js';
import { Sealer } from '#base/sealing';
import { afterWrite } from '#database/database-errors';
import { DatabaseEpoch } from '#database/epoch';
import { domainError } from '#domain/domain-error';
import { Ids } from '#base/ids';
import { withTimeout } from '#base/with-timeout';
import { parseJson } from '#base/json';
import { askedDigests } from '../buyer-digests.js';
import {
  type CompiledPolicy,
  compiledPolicy,
  type CompiledRule,
  compiledRule,
  type FraudRule,
  neededBy,
  type Policy,
} from './compiled-rules.js';
import { FraudLookups } from './fraud-lookups.js';

type Lists = Readonly<{ policies: readonly Policy[]; fraud_rules: readonly FraudRule[] }>;
type Kind = keyof Lists;
export type SavedList<K extends Kind> = Readonly<{ version: number; list: Lists[K] }>;

/** A list as it is sent: a new entry has no id. */
export type Draft<T> = Omit<T, 'id'> & Readonly<{ id?: string }>;

const FIRST_READ_WITHIN_MS = 2_000;
const MAX_ATTEMPTS = 5;
const UNIQUE_VIOLATION = '23505';

/** The policies and fraud rules of the marketplace. Each change is a new version of its list. Processes follow within seconds. */
@Injectable()
export class ScreeningRules implements OnModuleInit {
  #versions: Readonly<Record<Kind, number>> = NONE_READ;
  #policies: readonly CompiledPolicy[] = [];
  #rules: readonly CompiledRule[] = [];

  constructor(
    private readonly pool: Pool,
    private readonly sealer: Sealer,
    private readonly ids: Ids,
    private readonly lookups: FraudLookups,
    epoch: DatabaseEpoch,
  ) {
    epoch.onChange(() => (this.#versions = NONE_READ));
  }

  /** The enabled ones, in their order. */
  get policies(): readonly CompiledPolicy[] {
    return this.#policies;
  }

  /** The enabled ones. */
  get fraudRules(): readonly CompiledRule[] {
    return this.#rules;
  }

  /** A database that is away is read later. Until then nothing is screened. */
  async onModuleInit(): Promise<void> {
    await withTimeout(this.refresh(), FIRST_READ_WITHIN_MS, 'reading the fraud rules').catch(() => undefined);
  }

  /** Takes the newest lists into use, if they are not yet. */
  async refresh(): Promise<void> {
    const versions = await this.newestVersions();
    const before = this.#versions;
    if (versions.policies === before.policies && versions.fraud_rules === before.fraud_rules) return;
    const [{ list: policies }, { list: rules }] = await Promise.all([
      this.current('policies'),
      this.current('fraud_rules'),
    ]);
    const compiled = rules.filter(({ enabled }) => enabled).map((rule) => this.compiledRule(rule));
    await this.lookups.warmUp(neededBy(compiled));
    this.#policies = policies.filter(({ enabled }) => enabled).map((policy) => this.compiledPolicy(policy));
    this.#rules = compiled;
    this.#versions = versions;
  }

  /** The newest list, as it was saved. Before the first one it is empty, at version 0. */
  async current<K extends Kind>(kind: K): Promise<SavedList<K>> {
    const { rows } = await this.pool.query<{ id: string; version: number; sealed: Buffer }>(NEWEST, [kind]);
    const [newest] = rows;
    if (!newest) return { version: 0, list: [] as unknown as Lists[K] };
    const text = this.sealer.open('screening-rules', newest.id, newest.sealed).toString();
    return { version: newest.version, list: parseJson(text) as Lists[K] };
  }

  /**
   * Replaces a list, and takes it into use here.
   * @param expected the version that the list was made from; undefined for any
   * @throws DomainError if somebody else was faster
   */
  async save<K extends Kind>(
    kind: K,
    drafts: readonly Draft<Lists[K][number]>[],
    savedBy: string,
    expected?: number,
  ): Promise<SavedList<K>> {
    const list = drafts.map((draft) => ({ id: this.ids.next(PREFIXES[kind]), ...draft })) as unknown as Lists[K];
    let version: number;
    for (let attempt = 1; ; attempt += 1) {
      const newest = (await this.newestVersions())[kind];
      if (expected !== undefined && expected !== newest) throw stale(newest);
      version = newest + 1;
      const id = `${kind}/${version}`;
      const sealed = this.sealer.seal('screening-rules', id, Buffer.from(JSON.stringify(list)));
      try {
        await this.pool.query(SAVE, [id, kind, version, sealed, savedBy]);
        break;
      } catch (error) {
        const isTaken = error instanceof DatabaseError && error.code === UNIQUE_VIOLATION;
        if (!isTaken || attempt === MAX_ATTEMPTS) throw error;
      }
    }
    await afterWrite(() => this.refresh());
    return { version, list };
  }

  compiledPolicy(policy: Policy): CompiledPolicy {
    return compiledPolicy(policy, storedCondition(policy.where), (field, value) =>
      askedDigests(this.sealer, field, value),
    );
  }

  compiledRule(rule: FraudRule): CompiledRule {
    return compiledRule(rule, storedRuleCondition(rule.where), (field, value) =>
      askedDigests(this.sealer, field, value),
    );
  }

  private async newestVersions(): Promise<Record<Kind, number>> {
    const { rows } = await this.pool.query<{ kind: Kind; version: number }>(VERSIONS);
    const of = (kind: Kind) => rows.find((row) => row.kind === kind)?.version ?? 0;
    return { policies: of('policies'), fraud_rules: of('fraud_rules') };
  }
}

const stale = (version: number) => domainError('VERSION_STALE', `The list is at version ${version} by now.`);

const NONE_READ = { policies: -1, fraud_rules: -1 };

const PREFIXES = { policies: 'pol', fraud_rules: 'frd' } as const;

const VERSIONS = 'select kind, max(version) as version from screening_rules group by kind';

const NEWEST = 'select id, version, sealed from screening_rules where kind = $1 order by version desc limit 1';

const SAVE = `
  insert into screening_rules (id, kind, version, sealed, saved_by, saved_at) values ($1, $2, $3, $4, $5, clock_timestamp())`;
