import { readFileSync } from 'node:fs';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Service } from 'kubernetes-models/v1/Service';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { schema } from '#base/config/settings-schema';
import { COMPOSE_NAMES } from '#base/config/unknown-names';
import { parseSettings, SERVICE_NEEDS } from '#base/load-settings';
import { kubernetesManifests } from '../deploy/kubernetes/manifests.js';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };
const text = kubernetesManifests({ image: `willcall:${version}`, version });

type EnvVar = { name: string; value?: string; valueFrom?: unknown };
type Container = { command: string[]; env: EnvVar[]; securityContext: object };
type Pod = { containers: [Container]; terminationGracePeriodSeconds: number; securityContext: object };
type Resource = {
  kind: string;
  metadata: { name: string };
  spec: { template: { spec: Pod } } & Record<string, unknown>;
};
const resources = parseAllDocuments(text).map((document) => document.toJS() as Resource);
const named = (kind: string, name: string) => resources.find((one) => one.kind === kind && one.metadata.name === name)!;
const podOf = ({ spec }: Resource) => spec.template.spec;
const JOB = `willcall-migrate-${version.replaceAll('.', '-')}`;

/** The parts of CloudNativePG's `Cluster` that we use: https://cloudnative-pg.io/documentation/current/cloudnative-pg.v1/ */
const CLUSTER = z.strictObject({
  apiVersion: z.literal('postgresql.cnpg.io/v1'),
  kind: z.literal('Cluster'),
  metadata: z.strictObject({ name: z.string() }),
  spec: z.strictObject({
    instances: z.int().min(1),
    imageName: z.string(),
    primaryUpdateStrategy: z.enum(['unsupervised', 'supervised']),
    primaryUpdateMethod: z.enum(['switchover', 'restart']),
    bootstrap: z.strictObject({
      initdb: z.strictObject({ database: z.string(), owner: z.string(), postInitApplicationSQL: z.array(z.string()) }),
    }),
    managed: z.strictObject({
      roles: z.array(
        z.strictObject({
          name: z.string(),
          ensure: z.enum(['present', 'absent']),
          login: z.boolean(),
          inRoles: z.array(z.string()),
          passwordSecret: z.strictObject({ name: z.string() }),
        }),
      ),
    }),
    postgresql: z.strictObject({
      synchronous: z.strictObject({
        method: z.enum(['any', 'first']),
        number: z.int().min(1),
        dataDurability: z.enum(['required', 'preferred']),
      }),
      parameters: z.record(z.string(), z.string()),
    }),
    storage: z.strictObject({ size: z.string() }),
    walStorage: z.strictObject({ size: z.string() }),
    resources: z.strictObject({
      requests: z.record(z.string(), z.string()),
      limits: z.record(z.string(), z.string()),
    }),
    affinity: z.strictObject({
      enablePodAntiAffinity: z.boolean(),
      podAntiAffinityType: z.enum(['required', 'preferred']),
      topologyKey: z.string(),
    }),
  }),
});

const MODELS = { Deployment, HorizontalPodAutoscaler, Job, NetworkPolicy, PodDisruptionBudget, Service };

/** Throws with the path of what the schema of Kubernetes, or ours of CloudNativePG, does not allow. */
function check(resource: Resource): void {
  if (resource.kind === 'Cluster') return void CLUSTER.parse(resource);
  const Model = MODELS[resource.kind as keyof typeof MODELS] as new (data: object) => { validate(): void };
  new Model(resource).validate();
}

describe('the manifests for Kubernetes', () => {
  it('are up to date (run `npx vitest run --project unit test/kubernetes.spec.ts -u`)', async () => {
    await expect(text).toMatchFileSnapshot('../deploy/kubernetes/willcall.yaml');
  });

  it.each(resources.map((one) => [one.kind, one.metadata.name, one] as const))('%s %s has its schema', (_, __, one) => {
    expect(() => check(one)).not.toThrow();
  });

  it('a resource with a wrong value is found', () => {
    const deployment = named('Deployment', 'willcall-api');
    expect(() => check({ ...deployment, spec: { ...deployment.spec, selector: 'api' } })).toThrow('selector');
    const cluster = named('Cluster', 'willcall-postgres');
    expect(() => check({ ...cluster, spec: { ...cluster.spec, instance: 3 } })).toThrow('instance');
  });

  it('the database acknowledges nothing that only one of its three nodes has', () => {
    expect(named('Cluster', 'willcall-postgres').spec).toMatchObject({
      instances: 3,
      postgresql: { synchronous: { number: 1, dataDurability: 'required' } },
    });
  });
});

/** What docs/kubernetes.md puts into the ConfigMap and the secrets. */
const GIVEN: Record<string, string> = {
  PUBLIC_URL: 'https://tickets.example',
  PLATFORM_URL: 'https://platform.example',
  TRUST_PROXY: '10.0.0.0/8',
  ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
  REDIS_URL: 'rediss://:secret@redis.example:6379',
  CHECKOUT_CLIENT_ID: 'acme',
  CHECKOUT_CLIENT_SECRET: 'a-secret-long-enough',
  BACKOFFICE_TOKEN: 'a-token-that-is-long-enough',
};

describe.each([
  ['api', 'Deployment', 'willcall-api', SERVICE_NEEDS],
  ['worker', 'Deployment', 'willcall-worker', SERVICE_NEEDS],
  ['migrate', 'Job', JOB, ['DATABASE_URL', 'MIGRATION_DATABASE_URL']],
] as const)('the pods of %s', (program, kind, name, needs) => {
  const pod = podOf(named(kind, name));
  const [container] = pod.containers;

  it('have valid settings, with those of docs/kubernetes.md', () => {
    const passwords: Record<string, string> = {};
    const settings: Record<string, string> = { ...GIVEN };
    for (const { name: key, value } of container.env) {
      expect(key in schema.shape || COMPOSE_NAMES.includes(key), key).toBe(true);
      if (value === undefined) passwords[key] = 'p4ssword';
      else settings[key] = value.replace(/\$\((\w+)\)/g, (_, variable: string) => passwords[variable] ?? 'unset');
    }
    expect(parseSettings(settings, needs).DATABASE_URL).toMatch(
      /^postgres:\/\/willcall_service:p4ssword@willcall-postgres-rw:5432\/willcall\?sslmode=verify-full/,
    );
  });

  it('run the program of docker-compose.yml', () => {
    const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
      services: Record<string, { command: string }>;
    };
    expect(container.command.join(' ')).toBe(services[program]?.command);
  });

  it('have no rights of the machine, and time to finish', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const { SHUTDOWN_GRACE_MS } = parseSettings({ ...GIVEN, DATABASE_URL: 'postgres://x@y/z' });
    expect(pod.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(SHUTDOWN_GRACE_MS + 2_000 + 5_000);
  });
});

it('no secret stands in the manifests', () => {
  expect(resources.map(({ kind }) => kind)).not.toContain('Secret');
  expect(text).not.toMatch(/password: \S/i);
});
