/** The same in labels, selectors and network policies. */
export const labelsOf = (program: string) => ({
  'app.kubernetes.io/name': 'willcall',
  'app.kubernetes.io/component': program,
});

/** CloudNativePG makes the service `…-rw`, which leads to the primary, and the secret `…-ca`. */
export const DATABASE = 'willcall-postgres';

/** Secrets with `username` and `password`, of the two logins that docs/install-and-upgrade.md explains. */
export const LOGINS = { service: 'willcall-service', migrate: 'willcall-migrate' };

export const PORTS = { api: 3000, worker: 3001, operations: 9464, postgres: 5432 };
