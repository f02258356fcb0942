import { Secret, TOTP } from 'otpauth';

// RFC 6238 with the values that every authenticator app knows.
const PERIOD_S = 30;
export const TOTP_SECRET_BYTES = 20;

// One step earlier and one later: clocks of telephones differ (RFC 6238, section 5.2).
const WINDOW = 1;

function totp(secret: Buffer, label: string): TOTP {
  return new TOTP({
    issuer: 'Willcall',
    label,
    secret: new Secret({ buffer: arrayBufferOf(secret) }),
    period: PERIOD_S,
  });
}

/** The address that authenticator apps read from a QR code, and the secret in base32 for those who type it. */
export function totpSetup(secret: Buffer, email: string): { secret: string; otpauth_url: string } {
  const generator = totp(secret, email);
  return { secret: generator.secret.base32, otpauth_url: generator.toString() };
}

/** The time step of the code at `now` (ms since the epoch). Undefined if it is wrong, or of a step up to `lastStep`: a code works once. */
export function stepOfCode(code: string, secret: Buffer, now: number, lastStep: number): number | undefined {
  if (!/^[0-9]{6}$/.test(code)) return undefined;
  const delta = totp(secret, '').validate({ token: code, timestamp: now, window: WINDOW });
  if (delta === null) return undefined;
  const step = Math.floor(now / 1_000 / PERIOD_S) + delta;
  return step > lastStep ? step : undefined;
}

/** The context under which the secret of an operator is sealed. */
export function totpPlace(operatorId: string): string {
  return `operators/${operatorId}/totp`;
}

function arrayBufferOf(bytes: Buffer): ArrayBuffer {
  const copy = new ArrayBuffer(bytes.length);
  new Uint8Array(copy).set(bytes);
  return copy;
}
