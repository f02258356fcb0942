import { fileURLToPath } from 'node:url';
import { readFileSync } from 'node:fs';
import tls from 'node:tls';
import { vi } from 'vitest';

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** A certificate for receiver.example.com, issued by an authority of these tests. Valid for a hundred years. */
export const RECEIVER = {
  name: 'receiver.example.com',
  certFile: file('receiver.pem'),
  keyFile: file('receiver.key'),
  authorityFile: file('ca.pem'),
};

/** Until mocks are restored. Like NODE_EXTRA_CA_CERTS, which Node reads only at its start. */
export function trustAuthority(): void {
  const create = tls.createSecureContext;
  vi.spyOn(tls, 'createSecureContext').mockImplementation((options) => {
    const secureContext = create(options) as { context: { addCACert(certificate: string): void } };
    secureContext.context.addCACert(readFileSync(RECEIVER.authorityFile, 'utf8'));
    return secureContext;
  });
}
