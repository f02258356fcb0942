import { Injectable } from '@nestjs/common';
import { ADMINISTRATOR_TOKEN, type Caller } from '#accounts/caller';
import { SecondPerson } from '#accounts/second-person';
import { Settings } from '#base/settings';
import { centsOf } from '#domain/money';
import { HttpError } from '#web/http-error';

/** Says which refunds need a second person, and who that can be. */
@Injectable()
export class RefundApproval {
  constructor(
    private readonly settings: Settings,
    private readonly secondPerson: SecondPerson,
  ) {}

  /** In cents: from so much on, the refunds of an order need another person. Who may not act on money always asks. */
  fromCents({ permissions }: Caller): number {
    return permissions.includes('money:act') ? (centsOf(this.settings.REFUND_APPROVAL_FROM) ?? 0) : 0;
  }

  /**
   * @param asker the actor who asked for the refund
   * @throws HttpError 403 unless the caller is a person, and another one
   */
  async check(asker: string, caller: Caller): Promise<void> {
    const did = { did: 'asked for it', permission: 'money:act' } as const;
    const whyNot = (await this.secondPerson.whyNot([asker], caller, did)).get(asker);
    // The setting's token is nobody's, so whoever it has made is another person.
    const isFree = asker === ADMINISTRATOR_TOKEN.actor && caller.kind === 'operator';
    if (whyNot !== undefined && !isFree) throw HttpError.with(40300, whyNot);
  }
}
