import { App, Chart } from 'cdk8s';
import { databaseCluster } from './database.js';
import { networkPolicies } from './network.js';
import { apiProgram, migration, workerProgram } from './programs.js';

/** The migration's Job has a new name with each version, because a Job cannot be changed. */
export type Release = Readonly<{ image: string; version: string }>;

/** The text of `willcall.yaml`: everything but the settings and the secrets, which docs/kubernetes.md makes. */
export function kubernetesManifests(release: Release): string {
  const app = new App();
  const chart = new Chart(app, 'willcall', { disableResourceNameHashes: true });
  databaseCluster(chart);
  migration(chart, release);
  apiProgram(chart, release);
  workerProgram(chart, release);
  networkPolicies(chart);
  return app.synthYaml();
}
