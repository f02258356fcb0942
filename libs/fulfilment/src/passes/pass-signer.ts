import { readFile } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Settings } from '#base/settings';
import type { PassContent } from './pass-content.js';

const PICTURES = ['icon.png', 'icon@2x.png', 'logo.png'];
/** Each has some 6 KB. */
const MOST_KEPT = 500;
const KEPT_MS = 600_000;
const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Signs passes with the certificate of `PASS_CERT_FILE`. */
@Injectable()
export class PassSigner {
  // A signature takes the processor for 50 ms, and whoever has a pass may ask for it again and again.
  readonly #signed = new LRUCache({
    max: MOST_KEPT,
    ttl: KEPT_MS,
    fetchMethod: (content: string) => this.make(content),
  });

  constructor(private readonly settings: Settings) {}

  get isSet(): boolean {
    return this.settings.PASS_CERT_FILE !== undefined;
  }

  /** The whole file (pkpass). The certificate is read again and again, so that a new one counts soon. */
  async sign(content: PassContent): Promise<Buffer> {
    return await this.#signed.forceFetch(JSON.stringify(content));
  }

  private async make(content: string): Promise<Buffer> {
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
    const files = { ...Object.fromEntries(pictures), 'pass.json': Buffer.from(content) };
    return new PKPass(files, { signerCert: own, signerKey: key, wwdr: issuer || next }).getAsBuffer();
  }
}
