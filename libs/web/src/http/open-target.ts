import { HEALTH } from '#platform/known-host';
import { isDiscovery } from '../discovery-path.js';

/** All routes of these surfaces ask for a credential, and so do those of the discovery API. */
const WITH_CREDENTIAL = /^\/(?:checkout|backoffice|stream)\//;

/** Whether a target (path and query, without the path of PUBLIC_URL) is served without a credential. Health checks reveal nothing. */
export function isOpenToAnyone(target: string): boolean {
  return !WITH_CREDENTIAL.test(target) && !isDiscovery(target) && !target.startsWith(HEALTH);
}
