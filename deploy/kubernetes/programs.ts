import type { Chart } from 'cdk8s';
import { k8s } from 'cdk8s-plus-33';
import type { Release } from './manifests.js';
import { DATABASE, labelsOf, LOGINS, PORTS } from './names.js';

const DATABASE_CA = '/etc/willcall/postgres-ca';

/** Settings come from the ConfigMap, secrets from `willcall` and, what the worker does not need, from `willcall-api`. */
const FROM_SETTINGS: k8s.EnvFromSource[] = [
  { configMapRef: { name: 'willcall' } },
  { secretRef: { name: 'willcall' } },
];

/** `$(password)` is the variable that stands before it. */
function databaseUrl(setting: string, login: { role: string; secret: string; password: string }): k8s.EnvVar[] {
  const tls = `sslmode=verify-full&sslrootcert=${DATABASE_CA}/ca.crt`;
  const address = `${login.role}:$(${login.password})@${DATABASE}-rw:${PORTS.postgres}/willcall?${tls}`;
  return [
    { name: login.password, valueFrom: { secretKeyRef: { name: login.secret, key: 'password' } } },
    { name: setting, value: `postgres://${address}` },
  ];
}

const SERVICE_URL = databaseUrl('DATABASE_URL', {
  role: 'willcall_service',
  secret: LOGINS.service,
  password: 'SERVICE_DATABASE_PASSWORD',
});

const MIGRATION_URL = databaseUrl('MIGRATION_DATABASE_URL', {
  role: 'willcall_migrate',
  secret: LOGINS.migrate,
  password: 'MIGRATION_DATABASE_PASSWORD',
});

const value = (name: string, text: string | number): k8s.EnvVar => ({ name, value: String(text) });

type Probes = Pick<k8s.Container, 'startupProbe' | 'livenessProbe' | 'readinessProbe' | 'lifecycle'>;

type Program = Readonly<{
  name: string;
  command: string[];
  env: k8s.EnvVar[];
  envFrom?: k8s.EnvFromSource[];
  ports?: k8s.ContainerPort[];
  probes?: Probes;
}>;

/** No program writes anywhere but to /tmp, and none has a right of the machine. */
function podOf(release: Release, { name, command, env, envFrom = [], ports = [], probes }: Program): k8s.PodSpec {
  return {
    automountServiceAccountToken: false,
    // Longer than SHUTDOWN_GRACE_MS and the pause before it.
    terminationGracePeriodSeconds: 40,
    securityContext: { runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: labelsOf(name) },
      },
    ],
    containers: [
      {
        name,
        image: release.image,
        command,
        envFrom,
        env,
        ports,
        resources: {
          requests: { cpu: k8s.Quantity.fromString('500m'), memory: k8s.Quantity.fromString('512Mi') },
          limits: { memory: k8s.Quantity.fromString('1Gi') },
        },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        volumeMounts: [
          { name: 'tmp', mountPath: '/tmp' },
          { name: 'postgres-ca', mountPath: DATABASE_CA, readOnly: true },
        ],
        ...probes,
      },
    ],
    volumes: [
      { name: 'tmp', emptyDir: {} },
      // The authority alone: its key is in the same secret.
      { name: 'postgres-ca', secret: { secretName: `${DATABASE}-ca`, items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    ],
  };
}

/** What `docs/monitoring.md` says of the two routes. A start may wait until the schema is migrated. */
function probesOn(port: number): Probes {
  const get = (path: string) => ({ httpGet: { path, port: k8s.IntOrString.fromNumber(port) } });
  return {
    startupProbe: { ...get('/health/live'), periodSeconds: 2, failureThreshold: 60 },
    livenessProbe: { ...get('/health/live'), periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 3 },
    readinessProbe: { ...get('/health/ready'), periodSeconds: 5, timeoutSeconds: 5, failureThreshold: 2 },
    // Kubernetes sends SIGTERM and takes the address out of the service at the same time.
    lifecycle: { preStop: { exec: { command: ['sleep', '5'] } } },
  };
}

/** A rolling update starts a new process before it stops an old one. */
function deployment(chart: Chart, release: Release, program: Program, replicas: { min: number; max: number }): void {
  const labels = labelsOf(program.name);
  const name = `willcall-${program.name}`;
  new k8s.KubeDeployment(chart, `${program.name}-deployment`, {
    metadata: { name, labels },
    spec: {
      selector: { matchLabels: labels },
      strategy: {
        type: 'RollingUpdate',
        rollingUpdate: { maxSurge: k8s.IntOrString.fromNumber(1), maxUnavailable: k8s.IntOrString.fromNumber(0) },
      },
      template: { metadata: { labels }, spec: podOf(release, program) },
    },
  });
  new k8s.KubePodDisruptionBudget(chart, `${program.name}-budget`, {
    metadata: { name },
    spec: { minAvailable: k8s.IntOrString.fromNumber(replicas.min - 1), selector: { matchLabels: labels } },
  });
  new k8s.KubeHorizontalPodAutoscalerV2(chart, `${program.name}-autoscaler`, {
    metadata: { name },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      minReplicas: replicas.min,
      maxReplicas: replicas.max,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
      ],
    },
  });
}

export function apiProgram(chart: Chart, release: Release): void {
  const program = {
    name: 'api',
    command: ['node', 'dist/programs/api.js'],
    envFrom: [...FROM_SETTINGS, { secretRef: { name: 'willcall-api' } }],
    env: [...SERVICE_URL, value('HOST', '0.0.0.0'), value('PORT', PORTS.api), value('FILES_DIR', '/tmp/files')],
    ports: [
      { name: 'http', containerPort: PORTS.api },
      { name: 'metrics', containerPort: PORTS.operations },
    ],
    probes: probesOn(PORTS.api),
  };
  deployment(chart, release, program, { min: 3, max: 12 });
  new k8s.KubeService(chart, 'api-service', {
    metadata: { name: 'willcall-api' },
    spec: {
      selector: labelsOf('api'),
      ports: [{ name: 'http', port: 80, targetPort: k8s.IntOrString.fromString('http') }],
    },
  });
}

export function workerProgram(chart: Chart, release: Release): void {
  const program = {
    name: 'worker',
    command: ['node', 'dist/programs/worker.js'],
    envFrom: FROM_SETTINGS,
    env: [
      ...SERVICE_URL,
      value('WORKER_HOST', '0.0.0.0'),
      value('WORKER_PORT', PORTS.worker),
      value('FILES_DIR', '/tmp/files'),
    ],
    ports: [{ name: 'metrics', containerPort: PORTS.worker }],
    probes: probesOn(PORTS.worker),
  };
  deployment(chart, release, program, { min: 2, max: 6 });
}

export function migration(chart: Chart, release: Release): void {
  const program = {
    name: 'migrate',
    command: ['node', 'dist/programs/willcall.js', 'migrate'],
    env: [...SERVICE_URL, ...MIGRATION_URL],
  };
  new k8s.KubeJob(chart, 'migrate-job', {
    metadata: { name: `willcall-migrate-${release.version.replace(/[^a-z0-9]+/g, '-')}`, labels: labelsOf('migrate') },
    spec: {
      backoffLimit: 10,
      template: {
        metadata: { labels: labelsOf('migrate') },
        spec: { ...podOf(release, program), restartPolicy: 'OnFailure' },
      },
    },
  });
}
