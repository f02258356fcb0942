import * as kind from './kinds.js';

/** Where the anchors of the ledger go. */
export const ledgerSettings = {
  LEDGER_ANCHORS: kind
    .path()
    .optional()
    .describe(
      'file or folder for the anchors of the ledger, one a minute, where the owner of the database cannot write; unset = ledger-anchors.jsonl in DATA_DIR in the embedded default, else none',
    ),
  LEDGER_ANCHOR_URL: kind
    .serverAddress('https', 'http')
    .optional()
    .describe('also posts each anchor to this address, as a signed webhook of the type ledger.anchor'),
  LEDGER_ANCHOR_SECRET: kind
    .webhookSecret()
    .optional()
    .describe('signs these webhooks: whsec_ and the base64 of 24 to 64 random bytes'),
  LEDGER_ANCHOR_BUCKET: kind
    .matching(
      /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[A-Za-z0-9_][\w.-]{0,100}){0,4}\/?$/,
      's3:// and the name of a bucket, and perhaps a folder in it',
    )
    .optional()
    .describe('also puts each anchor into this bucket with Object Lock, such as s3://anchors/willcall; see S3_REGION'),
  LEDGER_ANCHOR_RETENTION: kind
    .choice('compliance', 'governance')
    .prefault('compliance')
    .describe('mode of Object Lock: compliance (nobody can remove an anchor) or governance (a special right can)'),
  LEDGER_ANCHOR_RETENTION_DAYS: kind
    .integer(1, 36_500)
    .prefault('365')
    .describe('days for which the bucket keeps each anchor'),
};
