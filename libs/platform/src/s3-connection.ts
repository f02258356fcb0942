import type { S3Client } from '@aws-sdk/client-s3';
import type { Settings } from '#base/settings';

export type S3Options = Readonly<{
  region: string;
  /** Undefined for Amazon's own. */
  endpoint: string | undefined;
  /** Undefined for those that the SDK finds, e.g. of the role of the machine. */
  credentials: Readonly<{ accessKeyId: string; secretAccessKey: string }> | undefined;
}>;

export type S3Settings = Pick<Settings, 'S3_REGION' | 'S3_ENDPOINT' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY'>;

export function s3OptionsOf(settings: S3Settings): S3Options {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  const credentials =
    accessKeyId !== undefined && secretAccessKey !== undefined ? { accessKeyId, secretAccessKey } : undefined;
  return { region: settings.S3_REGION, endpoint: settings.S3_ENDPOINT, credentials };
}

const CONNECTED_WITHIN_MS = 5_000;
const SILENT_FOR_MS = 30_000;

export type Sdk = typeof import('@aws-sdk/client-s3');

/** A client of Amazon S3, or of a service that speaks its protocol. Opened at the first use. */
export class S3Connection {
  #opened: Promise<{ sdk: Sdk; client: S3Client }> | undefined;

  constructor(private readonly options: S3Options) {}

  /** The SDK is large, so it is loaded only where it is used. */
  open(): Promise<{ sdk: Sdk; client: S3Client }> {
    return (this.#opened ??= this.#connect());
  }

  async #connect() {
    const { region, endpoint, credentials } = this.options;
    const sdk = await import('@aws-sdk/client-s3');
    const client = new sdk.S3Client({
      region,
      ...(credentials && { credentials }),
      // Other services have no host name for each bucket, and not all know the newer checksums.
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      // A service that is silent must not hold a request for ever.
      requestHandler: { connectionTimeout: CONNECTED_WITHIN_MS, socketTimeout: SILENT_FOR_MS },
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
    return { sdk, client };
  }
}
