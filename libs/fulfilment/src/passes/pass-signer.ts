import { readFile } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import type { PassContent } from './pass-content.js';

const PICTURES = ['icon.png', 'icon@2x.png', 'logo.png'];
const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Signs passes with the certificate of `PASS_CERT_FILE`. */
@Injectable()
export class PassSigner {
  constructor(private readonly settings: Settings) {}

  get isSet(): boolean {
    return this.settings.PASS_CERT_FILE !== undefined;
  }

  /** The whole file (pkpass). The certificate is read each time, so that a new one counts at once. */
  async sign(content: PassContent): Promise<Buffer> {
    const { PASS_CERT_FILE: certFile = '', PASS_KEY_FILE: keyFile = '', PASS_WWDR_FILE: issuerFile } = this.settings;
    const [cert, key, issuer, ...pictures] = await Promise.all([
      readFile(certFile, 'utf8'),
      readFile(keyFile, 'utf8'),
      issuerFile === undefined ? '' : readFile(issuerFile, 'utf8'),
      ...PICTURES.map(async (name) => [name, await readFile(new URL(`./pictures/${name}`, import.meta.url))] as const),
    ]);
    const [own = cert, next = own] = cert.match(CERTIFICATES) ?? [];
    // With its checks and its own RSA it is loaded only where passes are made.
    const { PKPass } = await import('passkit-generator');
    const files = { ...Object.fromEntries(pictures), 'pass.json': Buffer.from(JSON.stringify(content)) };
    return new PKPass(files, { signerCert: own, signerKey: key, wwdr: issuer || next }).getAsBuffer();
  }
}
