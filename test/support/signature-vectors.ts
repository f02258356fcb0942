import { spawnSync } from 'node:child_process';

/** Signatures of the checkout specification, made with `printf '<method>\n<path>\n<body>' | openssl dgst -sha1 -hmac <secret> -binary | base64`. */
export const SIGNATURE_VECTORS = [
  { secret: 'key', method: 'GET', path: '/', body: '', signature: 't+1Z71gEUY5zlKhHrGV4v6gQebE=' },
  {
    secret: 'correct-horse-battery-staple',
    method: 'get',
    path: '/checkout/v1/purchases/ord_01',
    body: '',
    signature: 'VS8j4AgBtATW+vXELdaLwTQkB0s=',
  },
  {
    secret: 'correct-horse-battery-staple',
    method: 'POST',
    path: '/checkout/v1/purchases',
    body: '{"ref_id":"Ünïcode ☃",\r\n "product":{}}',
    signature: 'z1qnAcF+RG+nIEf6JBJ0JiztQh0=',
  },
  {
    secret: `longer than one SHA-1 block: ${'x'.repeat(64)}`,
    method: 'POST',
    path: '/a%20b',
    body: '\u0000\n\n',
    signature: 'CECZuDDSLA83fR6E5qdjf8qcWns=',
  },
];

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** The signature as openssl makes it. */
export function signedByOpenssl(request: { secret: string; method: string; path: string; body: Uint8Array }): string {
  const input = Buffer.concat([Buffer.from(`${request.method.toUpperCase()}\n${request.path}\n`), request.body]);
  const { stdout } = spawnSync('openssl', ['dgst', '-sha1', '-hmac', request.secret, '-binary'], { input });
  return stdout.toString('base64');
}
