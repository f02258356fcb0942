import { ApiObject, type Chart } from 'cdk8s';
import { DATABASE, LOGINS } from './names.js';

const ROLES = `
create role willcall_owner nologin;
create role willcall_app nologin;
create role willcall_analyst nologin;
grant create on database willcall to willcall_owner;
`;

const login = (name: string, secret: string, inRoles: string[]) => ({
  name,
  ensure: 'present',
  login: true,
  inRoles,
  passwordSecret: { name: secret },
});

/**
 * PostgreSQL by CloudNativePG (postgresql.cnpg.io/v1): three nodes, and a commit waits until one of the two others has it.
 * `dataDurability: required` stops writes rather than acknowledge a purchase that only one node has.
 */
export function databaseCluster(chart: Chart): void {
  new ApiObject(chart, 'postgres', {
    apiVersion: 'postgresql.cnpg.io/v1',
    kind: 'Cluster',
    metadata: { name: DATABASE },
    spec: {
      instances: 3,
      imageName: 'ghcr.io/cloudnative-pg/postgresql:17',
      primaryUpdateStrategy: 'unsupervised',
      primaryUpdateMethod: 'switchover',
      bootstrap: {
        initdb: {
          database: 'willcall',
          owner: 'willcall',
          postInitApplicationSQL: [
            ...ROLES.trim().split('\n'),
            'grant usage, create on schema public to willcall_owner;',
          ],
        },
      },
      managed: {
        roles: [
          login('willcall_migrate', LOGINS.migrate, ['willcall_owner', 'willcall_app']),
          login('willcall_service', LOGINS.service, ['willcall_app']),
        ],
      },
      postgresql: {
        synchronous: { method: 'any', number: 1, dataDurability: 'required' },
        parameters: { max_connections: '300', shared_buffers: '1GB' },
      },
      storage: { size: '50Gi' },
      walStorage: { size: '20Gi' },
      resources: { requests: { cpu: '1', memory: '3Gi' }, limits: { memory: '4Gi' } },
      affinity: { enablePodAntiAffinity: true, podAntiAffinityType: 'required', topologyKey: 'kubernetes.io/hostname' },
    },
  });
}
