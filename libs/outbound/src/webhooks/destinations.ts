import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import { AddressGuard } from '#delivery-kit/address-guard';
import type { Outcome } from '#delivery-kit/attempt';
import { S3Connection, s3OptionsOf, type S3Settings } from '#platform/s3-connection';
import { type DestinationKind, kindOf } from '../destinations/destination-address.js';
import type { DestinationMessage, DestinationSender } from '../destinations/destination-message.js';
import { NatsSender } from '../destinations/nats-sender.js';
import { RabbitMqSender } from '../destinations/rabbitmq-sender.js';
import { S3Sender } from '../destinations/s3-sender.js';
import { WebhookSender } from './webhook-sender.js';
import { WebhookSettings } from './webhook-settings.js';

/** Sends each message to its destination, by the scheme of the address. */
@Injectable()
export class Destinations implements DestinationSender {
  private readonly senders: Readonly<Record<DestinationKind, DestinationSender>>;

  constructor(
    http: WebhookSender,
    guard: AddressGuard,
    @Inject(WebhookSettings) { timeoutMs }: Pick<WebhookSettings, 'timeoutMs'>,
    @Inject(Settings) settings: S3Settings,
  ) {
    this.senders = {
      http,
      nats: new NatsSender(guard, timeoutMs),
      rabbitmq: new RabbitMqSender(guard, timeoutMs),
      s3: new S3Sender(new S3Connection(s3OptionsOf(settings)), timeoutMs),
    };
  }

  async send(message: DestinationMessage): Promise<Outcome> {
    return await this.senders[kindOf(message.url)].send(message);
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.senders).map((sender) => sender.close()));
  }
}
