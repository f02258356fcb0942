import type { Sealer } from '#base/sealing';

/** Which choice of a buyer: a job asks an order once. */
export type AskedChoice = Readonly<{ orderId: string; job: string }>;

/** Where the buyer chooses. The signature is the credential, and nothing is stored about it. */
export function choiceUrl(sealer: Sealer, publicUrl: string, { orderId, job }: AskedChoice): string {
  const signature = sealer.digest('choice-link', signedText({ orderId, job })).toString('base64url');
  return `${publicUrl}/choices/${orderId}.${job}.${signature}`;
}

/** What a token of such an address is about. Undefined if it is not ours. */
export function choiceOf(sealer: Sealer, token: string): AskedChoice | undefined {
  const [orderId = '', job = '', signature = '', ...others] = token.split('.');
  if (others.length > 0) return undefined;
  const isOurs = sealer.isDigest('choice-link', signedText({ orderId, job }), Buffer.from(signature, 'base64url'));
  return isOurs ? { orderId, job } : undefined;
}

const signedText = ({ orderId, job }: AskedChoice) => JSON.stringify([orderId, job]);
