import type { Chart } from 'cdk8s';
import { k8s } from 'cdk8s-plus-33';
import { DATABASE, labelsOf, PORTS } from './names.js';

const port = (number: number, protocol = 'TCP') => ({ port: k8s.IntOrString.fromNumber(number), protocol });
const namespace = (name: string) => ({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } });
const podsOf = (program: string) => ({ podSelector: { matchLabels: labelsOf(program) } });
const DATABASE_PODS = { podSelector: { matchLabels: { 'cnpg.io/cluster': DATABASE } } };

const NAMES: k8s.NetworkPolicyEgressRule = { ports: [port(53, 'UDP'), port(53)] };
const TO_DATABASE: k8s.NetworkPolicyEgressRule = { to: [DATABASE_PODS], ports: [port(PORTS.postgres)] };
/** Redis and Sentinel, wherever they are. */
const TO_REDIS: k8s.NetworkPolicyEgressRule = { ports: [port(6379), port(26379)] };
/** Platform, webhooks, payment provider, files, anchors, sign-in, and the mail server. */
const OUTSIDE: k8s.NetworkPolicyEgressRule = { ports: [port(443), port(465), port(587)] };
const FROM_MONITORING = [namespace('monitoring')];

function policy(
  chart: Chart,
  program: string,
  ingress: k8s.NetworkPolicyIngressRule[],
  egress: k8s.NetworkPolicyEgressRule[],
): void {
  new k8s.KubeNetworkPolicy(chart, `${program}-network`, {
    metadata: { name: `willcall-${program}` },
    spec: {
      podSelector: { matchLabels: labelsOf(program) },
      policyTypes: ['Ingress', 'Egress'],
      ingress,
      egress: [NAMES, TO_DATABASE, ...egress],
    },
  });
}

/** Each program reaches, and is reached by, only what its work needs. Adjust the two namespaces to your cluster. */
export function networkPolicies(chart: Chart): void {
  const metricsOn = (number: number) => ({ from: FROM_MONITORING, ports: [port(number)] });
  policy(
    chart,
    'api',
    [{ from: [namespace('ingress')], ports: [port(PORTS.api)] }, metricsOn(PORTS.operations)],
    [TO_REDIS, OUTSIDE],
  );
  policy(chart, 'worker', [metricsOn(PORTS.worker)], [TO_REDIS, OUTSIDE]);
  policy(chart, 'migrate', [], []);
  new k8s.KubeNetworkPolicy(chart, 'postgres-network', {
    metadata: { name: DATABASE },
    spec: {
      podSelector: DATABASE_PODS.podSelector,
      policyTypes: ['Ingress'],
      ingress: [
        { from: [podsOf('api'), podsOf('worker'), podsOf('migrate')], ports: [port(PORTS.postgres)] },
        { from: [DATABASE_PODS] },
        { from: [namespace('cnpg-system')] },
      ],
    },
  });
}
