import { z } from 'zod';
import { deliverySettings } from './delivery-settings.js';
import { SURFACES, TASK_GROUPS } from '../process-roles.js';
import * as kind from './kinds.js';
import { ledgerSettings } from './ledger-settings.js';
import { paymentSettings } from './payment-settings.js';
import { tracingSettings } from './tracing-settings.js';

/** `.prefault` is the default as text, parsed like a value of the environment. `npm run docs` generates `.env.example` from it. */
export const schema = z.object({
  PORT: kind.integer(0, 65_535).prefault('3000').describe('port of the API; 0 = any free one'),
  HOST: kind.host().prefault('127.0.0.1').describe('address the API listens on'),
  PUBLIC_URL: kind.webAddress().optional().describe('public base address of the API; unset = http://HOST:PORT'),
  OPERATIONS_PORT: kind
    .integer(0, 65_535)
    .optional()
    .describe(
      'port on which the API serves /metrics, and health checks too; unset = PORT without DATABASE_URL, else 9464',
    ),
  SURFACES: kind
    .someOf('surfaces', SURFACES)
    .prefault(SURFACES.join(','))
    .describe('what this api serves, besides health and metrics; the others answer 404; see docs/scale.md'),
  DOCS: kind.boolean().optional().describe('serve /docs, /openapi.* and /asyncapi.json; unset = as SANDBOX'),
  DATA_DIR: kind
    .folder()
    .prefault('.data')
    .describe('files of the embedded database and the generated secrets of the demo'),
  FILES_DIR: kind
    .folder()
    .optional()
    .describe(
      'files of tickets, encrypted, and uploads in hand; all api and worker processes share it; unset = files in DATA_DIR',
    ),
  S3_BUCKET: kind
    .matching(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket')
    .optional()
    .describe('bucket for the files of tickets, instead of FILES_DIR'),
  S3_REGION: kind
    .matching(/^[a-z0-9-]{1,40}$/, 'the name of a region')
    .prefault('us-east-1')
    .describe('region of S3_BUCKET and LEDGER_ANCHOR_BUCKET'),
  S3_ENDPOINT: kind.webAddress().optional().describe('address of an S3-compatible service; unset = Amazon S3'),
  S3_ACCESS_KEY_ID: kind
    .secret()
    .optional()
    .describe('with S3_SECRET_ACCESS_KEY; unset = what the machine itself has, such as a role'),
  S3_SECRET_ACCESS_KEY: kind.secret().optional().describe('secret of S3_ACCESS_KEY_ID'),
  TICKET_MAX_BYTES: kind
    .integer(1_024, 1_073_741_824)
    .prefault('10485760')
    .describe('largest file of a ticket; an upload has at most 10 files and five times as many bytes'),
  SCAN_COMMAND: kind
    .command()
    .optional()
    .describe(
      'program that checks each uploaded file on its standard input, such as clamdscan --fdpass --no-summary -; exit code 0 = clean, 1 = refused, others and a minute without one = 503; unset = none',
    ),
  SMTP_URL: kind
    .serverAddress('smtp', 'smtps')
    .optional()
    .describe('mail server for e-mails to buyers, with its login; unset = a file for each e-mail beside the tickets'),
  SMTP_REQUIRE_TLS: kind
    .boolean()
    .optional()
    .describe('send no e-mail without TLS and a valid certificate; unset = true unless SMTP_URL is on this machine'),
  MAIL_FROM: kind.sender().prefault('Willcall <tickets@localhost>').describe('sender of e-mails to buyers'),
  MAIL_POSTAL_ADDRESS: kind.line().optional().describe('postal address below each e-mail; unset = none'),
  MAIL_LOCALE: kind
    .matching(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, 'a language tag')
    .prefault('en-US')
    .describe('language of dates and amounts in e-mails, and of your MAIL_TEMPLATES_FILE'),
  MAIL_AUTOMATIC: kind
    .boolean()
    .optional()
    .describe('send a confirmation for each order that is confirmed from now on; unset = true exactly with SMTP_URL'),
  MAIL_TEMPLATES_FILE: kind.readableFile().optional().describe('templates of e-mails (JSON); unset = built-in ones'),
  MAIL_BOUNCES_FILE: kind
    .path()
    .optional()
    .describe('mailbox of MAIL_FROM for e-mails that come back: an mbox file, which is only read, or a Maildir folder'),
  MAIL_BOUNCES_ADDRESS: kind
    .matching(
      /^[a-z0-9.+_=-]{0,10}\*@[a-z0-9.-]{1,189}$/,
      'an address in lower case with * for what each e-mail has of its own, such as bounces+*@tickets.example',
    )
    .optional()
    .describe('envelope sender of e-mails to buyers, whose mailbox is MAIL_BOUNCES_FILE; unset = MAIL_FROM'),
  DATABASE_URL: kind
    .databaseAddress()
    .optional()
    .describe(
      'PostgreSQL server, with the login of the application, or several (host1:5432,host2:5432) of which the primary is sought; unset = an embedded one in DATA_DIR',
    ),
  MIGRATION_DATABASE_URL: kind
    .databaseAddress()
    .optional()
    .describe("the same database with the owner's login, to migrate, rebuild and repair; api and worker never see it"),
  DATABASE_REPLICA_URL: kind
    .databaseAddress(1)
    .optional()
    .describe(
      'a standby of DATABASE_URL, with the same login, for what needs no primary: discovery, pages of the ping stream, lists and reports; unset = none',
    ),
  READ_ONLY: kind
    .boolean()
    .prefault('false')
    .describe(
      'an api that writes nothing, so that DATABASE_URL may be a standby: it serves reads, and answers 503 to the rest',
    ),
  DATABASE_POOL_SIZE: kind
    .integer(1, 1000)
    .prefault('10')
    .describe('PostgreSQL connections in each of the two pools of a process, and in that of the replica'),
  LOCK_TIMEOUT_MS: kind
    .milliseconds(100)
    .prefault('2500')
    .describe('how long a statement of the API waits for a lock, such as that of a listing, before it answers 503'),
  REDIS_URL: kind.redis().optional().describe('Redis, Sentinels or a cluster for BullMQ; unset = BullMQ on PostgreSQL'),
  LOG_LEVEL: kind
    .choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')
    .prefault('info')
    .describe('fatal, error, warn, info, debug, trace or silent'),
  LOG_FORMAT: kind
    .choice('auto', 'pretty', 'json')
    .prefault('auto')
    .describe('json, pretty (readable lines), or auto: pretty on a terminal, else json'),
  ...tracingSettings,
  ENCRYPTION_KEY: kind
    .key256()
    .optional()
    .describe('base64 of 32 bytes; encrypts client secrets and personal data; generated in the demo, else required'),
  KNOWN_BACKUPS_FILE: kind
    .path()
    .optional()
    .describe(
      'file with the fingerprints of the archives that `backup` wrote; unset = .willcall/known-backups in the home folder',
    ),
  ...ledgerSettings,
  ENCRYPTION_KEY_PREVIOUS: kind
    .keys256()
    .optional()
    .describe('keys before ENCRYPTION_KEY, comma-separated, that still open values until all are encrypted anew'),

  TLS_CERT_FILE: kind
    .readableFile()
    .optional()
    .describe('PEM certificate chain; with TLS_KEY_FILE, the API serves HTTPS itself'),
  TLS_KEY_FILE: kind.readableFile().optional().describe('PEM private key of TLS_CERT_FILE'),
  TRUST_PROXY: kind
    .networks()
    .optional()
    .describe('addresses or networks of proxies whose X-Forwarded-* headers are trusted'),
  REQUIRE_HTTPS: kind
    .boolean()
    .optional()
    .describe('refuse requests that did not arrive over HTTPS; unset = true exactly when DATABASE_URL is set'),
  ALLOWED_HOSTS: kind
    .hosts()
    .optional()
    .describe('host names, besides that of PUBLIC_URL, under which pages without a sign-in are served'),
  MAX_CONNECTIONS: kind.integer(1, 1_000_000).prefault('10000').describe('open connections the API accepts'),
  MAX_CONNECTIONS_PER_ADDRESS: kind
    .integer(1, 1_000_000)
    .prefault('2500')
    .describe(
      'open connections of one IP address (IPv6: /64 network); behind TRUST_PROXY requests in hand of one client',
    ),
  SEND_TIMEOUT_MS: kind
    .milliseconds(100)
    .prefault('30000')
    .describe('a connection ends when its client takes no byte of an answer for this long'),
  CHECKOUT_RATE_PER_SECOND: kind
    .integer(1, 1_000_000)
    .prefault('10000')
    .describe('checkout requests per second per client and API process; more get 429'),
  STREAM_MAX_READERS: kind
    .integer(1, 1_000_000)
    .prefault('2000')
    .describe('live readers of the ping stream per API process; more get 503'),
  STREAM_MAX_READERS_PER_TOKEN: kind
    .integer(1, 1_000_000)
    .prefault('500')
    .describe(
      'of these, readers of the same person (with all sessions and tokens) or stream token, never more than a quarter; BACKOFFICE_TOKEN is not limited',
    ),
  SHUTDOWN_GRACE_MS: kind
    .milliseconds(0)
    .prefault('10000')
    .describe('time to finish current requests and jobs when a process is stopped'),
  WORKER_HOST: kind.host().prefault('127.0.0.1').describe('address on which the worker serves health and metrics'),
  WORKER_PORT: kind
    .integer(0, 65_535)
    .prefault('0')
    .describe('port on which the worker serves health and metrics; 0 = any free one'),
  TASKS: kind
    .someOf('groups of tasks', TASK_GROUPS)
    .prefault(TASK_GROUPS.join(','))
    .describe('groups of background tasks that this worker runs; another one must run the others; see docs/scale.md'),

  CELL: kind
    .integer(0, 255)
    .prefault('0')
    .describe('number of this installation among several; it stands in the ids of its orders'),
  CHECKOUT_SCHEME: kind
    .matching(/^[\w!#$%&'*+.^`|~-]{1,32}$/, 'a word fit for a header name')
    .prefault('XX')
    .describe('the word in "Authorization: XX" and in X-XX-Transaction-Id'),
  CHECKOUT_CLIENT_ID: kind
    .clientId()
    .optional()
    .describe('first platform client, created at start if absent; generated in the demo'),
  CHECKOUT_CLIENT_SECRET: kind.secret().optional().describe('secret of CHECKOUT_CLIENT_ID'),
  CHECKOUT_VARIANT: kind
    .choice('payment', 'wholesale')
    .prefault('payment')
    .describe('variant of that first client: payment or wholesale'),
  CARRIERS: kind.names().prefault('UPS,FedEx').describe('carriers allowed in fulfillment.data.carrier'),
  TRACKING_NUMBERS: kind
    .choice('any', 'checked')
    .prefault('any')
    .describe('checked = a tracking number must have the form and the check digit of its carrier (UPS, FedEx)'),
  STATUS_CATALOGUE_FILE: kind
    .readableFile()
    .optional()
    .describe('status catalogue (JSON); unset = the one saved in the console, or else the built-in one'),
  REVIEW_TOTAL_FROM: kind
    .dollars()
    .optional()
    .describe('purchases of untrusted users from this total in USD are held for manual review; unset = none'),
  APPROVAL_FROM_ORDERS: kind
    .integer(1, 1_000_000_000)
    .prefault('1000')
    .describe(
      'from so many orders on, those of an hour together, the jobs of a person wait until another one approves them',
    ),
  ...paymentSettings,
  REVIEW_WITHIN_MINUTES: kind
    .integer(1, 525_600)
    .prefault('60')
    .describe('how long an order may wait for its review before it is overdue'),
  EXCEPTION_WITHIN_MINUTES: kind
    .integer(1, 525_600)
    .prefault('1440')
    .describe('how long an order may have a problem before it is overdue'),
  ...deliverySettings,
  CARD_DATA_IN_FREE_FIELDS: kind
    .choice('refuse', 'mask', 'keep')
    .prefault('mask')
    .describe('card numbers in market_specific_fields and notes: refuse, mask all but four digits, or keep'),

  BACKOFFICE_TOKEN: kind.secret().optional().describe('bearer token of an administrator; generated in the demo'),
  OPERATOR_EMAIL: kind
    .email()
    .optional()
    .describe('first administrator of the back office, created if there is no operator yet; generated in the demo'),
  OPERATOR_PASSWORD: kind
    .password()
    .optional()
    .describe('password of OPERATOR_EMAIL, with at least PASSWORD_MIN_LENGTH characters'),
  PASSWORD_MIN_LENGTH: kind
    .integer(8, 64)
    .prefault('12')
    .describe('characters that a password of an operator must have; shorter ones work until they are changed'),
  SESSION_IDLE_MINUTES: kind
    .integer(1, 720)
    .prefault('15')
    .describe('a session of an operator ends when it is not used for this long, and 12 hours after the sign-in'),
  SIGN_IN_LOCK_MINUTES: kind
    .integer(1, 1_440)
    .prefault('15')
    .describe(
      'how long failed sign-ins count; after 10 of them nobody can try again until the first ones no longer do',
    ),
  UNUSED_ACCOUNT_DAYS: kind
    .integer(1, 3_650)
    .optional()
    .describe(
      'operators who do not sign in for so many days are disabled, but for the last administrator; unset = none',
    ),
  TOKEN_DAYS: kind
    .days('90')
    .describe('days after which a new token of a program ends, unless it is made with another end or none'),
  REQUIRE_TOTP: kind
    .roles()
    .optional()
    .describe('roles that need an authenticator app, e.g. administrator,operations; not for sign-in by OIDC_ISSUER'),
  OIDC_ISSUER: kind
    .secureAddress()
    .optional()
    .describe('OpenID provider with which staff may sign in (its issuer); unset = by password only'),
  OIDC_CLIENT_ID: kind.secret().optional().describe('the client id that the OpenID provider gave Willcall'),
  OIDC_CLIENT_SECRET: kind.secret().optional().describe('secret of OIDC_CLIENT_ID'),
  OIDC_ROLES: kind
    .roleRules()
    .optional()
    .describe(
      'roles by claims: groups=help-desk:support,*:viewer; unset = only operators who exist may sign in, with the roles they have',
    ),
  OIDC_TRUSTED_DOMAINS: kind
    .hosts()
    .optional()
    .describe('domains whose e-mail addresses are believed if the provider sends no email_verified (Entra ID)'),
  OIDC_SCOPES: kind
    .matching(/^openid( [\w:./-]+)*$/, 'openid, and other scopes with blanks between')
    .prefault('openid email profile')
    .describe('what Willcall asks of the OpenID provider'),
  DISCOVERY_CLIENT_ID: kind
    .clientId()
    .optional()
    .describe('first public API key, created at start if absent; generated in the demo'),
  DISCOVERY_RATE_PER_SECOND: kind
    .integer(1, 1_000_000)
    .prefault('10000')
    .describe('discovery requests per second per key and API process; more get 429. A key may have its own rate'),
  DISCOVERY_PAST_EVENTS: kind
    .choice('show', 'hide')
    .prefault('show')
    .describe('hide = lists leave out events whose visible_until has passed'),
  GEOIP_DB: kind.readableFile().optional().describe('mmdb file; without it geoip by IP address finds no place'),
  REQUEST_LOG_DAYS: kind
    .days('30')
    .describe('how long a request is kept for GET /backoffice/v1/transactions/{id}, without its body'),
  ANSWER_DAYS: kind.days('30').describe('how long answers of the platform and of webhook receivers are kept'),
  ATTEMPT_DAYS: kind.days('365').describe('how long attempts of pings and webhooks are kept, without the answers'),
  READ_DAYS: kind
    .days('365')
    .describe('how long reads of the platform are kept, once all pings of the order are delivered'),
  PERSONAL_DATA_DAYS: kind.integer(1, 36_500).optional().describe('days after which personal data is erased'),
  DELIVERY_HISTORY_DAYS: kind
    .days('90')
    .describe('how long the charts of delivery reach back: what waited and how attempts went, minute by minute'),
  POPULARITY_DAYS: kind.days('30').describe('days of sales that count for scores'),
  POPULARITY_EVERY_MS: kind
    .milliseconds(100)
    .prefault('180000')
    .describe('how often scores, has_upcoming_events and recommendation data are recalculated'),
  SAMPLE_DATA: kind
    .boolean()
    .optional()
    .describe('load the sample catalogue and listings on the first start; unset = true exactly without DATABASE_URL'),

  PLATFORM_URL: kind
    .webAddress()
    .optional()
    .describe('address that receives purchase pings; a real server needs it, or SANDBOX=true'),
  SANDBOX: kind
    .boolean()
    .optional()
    .describe(
      'without PLATFORM_URL, the built-in platform at PUBLIC_URL/sandbox receives the pings; unset = true exactly without DATABASE_URL',
    ),
  PING_RETRY_FIRST_MS: kind.milliseconds().prefault('5000').describe('wait before the second attempt of a ping'),
  PING_RETRY_MAX_MS: kind.milliseconds().prefault('36000000').describe('longest wait between two attempts (10 h)'),
  PING_RETRY_FOR_MS: kind.milliseconds().prefault('270000000').describe('time after which a ping is parked (75 h)'),
  PING_TIMEOUT_MS: kind.milliseconds().prefault('15000').describe('time-out for one attempt of a ping'),
  PING_CONCURRENCY: kind
    .integer(1, 10_000)
    .prefault('50')
    .describe('orders whose pings one worker delivers in parallel'),
  PING_RATE_PER_SECOND: kind
    .integer(0, 1_000_000)
    .prefault('0')
    .describe('maximum pings per second, all workers together; 0 = no limit'),
  WEBHOOK_ALLOW_PRIVATE: kind
    .boolean()
    .prefault('false')
    .describe('for development: also allow http and private addresses for webhooks'),
  WEBHOOK_CONCURRENCY: kind
    .integer(1, 10_000)
    .prefault('200')
    .describe('webhooks that one worker serves in parallel, each with up to 10 deliveries'),
  SWEEP_EVERY_MS: kind
    .milliseconds(10)
    .prefault('1000')
    .describe('how often the worker looks for due work that has no job'),
});

export type Parsed = z.output<typeof schema>;
