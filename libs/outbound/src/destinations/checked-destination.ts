import { MissingPackage } from '#base/optional-package';
import type { AddressGuard } from '#delivery-kit/address-guard';
import {
  brokerAddress,
  brokerIssue,
  type BrokerKind,
  bucketAddress,
  kindOf,
  webAddress,
} from './destination-address.js';
import { loadNats } from './nats-sender.js';
import { loadRabbitMq } from './rabbitmq-sender.js';

/** An address that deliveries may go to, without its credentials, or what is wrong with it. */
export type CheckedDestination =
  Readonly<{ issue?: undefined; url: string; credentials: string | undefined }> | Readonly<{ issue: string }>;

/** Checks an address as somebody has written it. */
export async function checkedDestination(url: string, guard: AddressGuard): Promise<CheckedDestination> {
  const kind = kindOf(url);
  if (kind === 'http') {
    const issue = await guard.checkAddress(url);
    return issue === undefined ? { url, credentials: undefined } : { issue };
  }
  if (kind === 's3') {
    const bucket = bucketAddress(url);
    return typeof bucket === 'string' ? { issue: bucket } : { url, credentials: undefined };
  }
  const address = brokerAddress(url, kind);
  if (typeof address === 'string') return { issue: address };
  const issue =
    brokerIssue(address, kind, guard) ??
    (await guard.checkAddress(webAddress(address))) ??
    (await missingPackage(LOAD[kind]));
  return issue === undefined ? { url: address.shown, credentials: address.credentials } : { issue };
}

const LOAD: Readonly<Record<BrokerKind, () => Promise<unknown>>> = { nats: loadNats, rabbitmq: loadRabbitMq };

async function missingPackage(load: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await load();
    return undefined;
  } catch (error) {
    if (error instanceof MissingPackage) return error.message;
    throw error;
  }
}
