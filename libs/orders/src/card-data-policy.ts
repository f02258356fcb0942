import { Injectable, Optional } from '@nestjs/common';
import { Settings } from '#base/settings';
import { hasCardData, maskCardData } from '#web/card-data.contract';
import { domainError } from '#domain/domain-error';
import { Logger } from '#platform/logger';

/** What happens to card numbers in fields that take any text (`CARD_DATA_IN_FREE_FIELDS`). */
@Injectable()
export class CardDataPolicy {
  constructor(
    private readonly settings: Settings,
    @Optional() private readonly logger?: Logger,
  ) {}

  refuses(value: unknown): boolean {
    return this.settings.CARD_DATA_IN_FREE_FIELDS === 'refuse' && hasCardData(value);
  }

  /** What may be stored of a value that is not refused. */
  storable<T>(value: T): T {
    return this.settings.CARD_DATA_IN_FREE_FIELDS === 'mask' ? maskCardData(value) : value;
  }

  /** A `ref_id` is stored in any case, because the platform gets it back byte for byte. */
  warnOfRefId(order: Readonly<{ order_id: string; client_id: string; transaction_id: string }>): void {
    this.logger?.warn(
      order,
      'the ref_id of a purchase looks like a card number: ask the platform to send another reference',
    );
  }

  /** Like `storable`, for what staff write. @throws DomainError that names the field */
  admit<T>(field: string, value: T): T {
    if (this.refuses(value)) {
      throw domainError('CARD_DATA_REFUSED', `${field} must not contain a card number or a security code`);
    }
    return this.storable(value);
  }
}
