import { Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import { dollarsOf } from '#domain/money';
import type { KnownOrder } from '#domain/order-state';
import { moneyLeft } from '#domain/payment-amounts';
import { html } from '#web/html';
import { messagePage } from '#web/message-page';
import { instantText, MailFactsReader } from '../mail/mail-facts.js';

/** What the buyer of a postponed show reads, in the words of the mails. It has nothing of the buyer. */
@Injectable()
export class ChoicePage {
  constructor(
    private readonly facts: MailFactsReader,
    private readonly settings: Settings,
  ) {}

  /** Asks, or says what the buyer has chosen. */
  async of(orderId: string, order: KnownOrder): Promise<string> {
    const { choice } = order;
    const facts = await this.show(orderId, order);
    if (choice?.answer === 'keep') {
      return messagePage(
        'You keep your tickets',
        html`<p>They stay good for the new date.</p>
          ${facts}`,
      );
    }
    if (choice?.answer === 'refund') {
      const back = html`<p>Your tickets are not good any more, and your money goes back the way you paid.</p>`;
      return messagePage('You get your money back', html`${back}${facts}`);
    }
    return messagePage(
      'Keep your tickets, or give them back?',
      html`${facts}
        <p>
          Please choose by ${instantText(choice?.until ?? '', this.settings.MAIL_LOCALE)}. If you do nothing, you keep
          your tickets.
        </p>
        <form method="post">
          <button name="choice" value="keep">Keep my tickets</button>
          <button name="choice" value="refund">Get ${this.amountOf(order)} back</button>
        </form>`,
    );
  }

  private async show(orderId: string, { purchase }: KnownOrder) {
    const found = await this.facts.of(orderId, { kind: 'choice' });
    if (!found) return '';
    const { event, date, venue, seats, tickets } = found.facts;
    const named = purchase.product.seats ? `seats ${purchase.product.seats.join(', ')}` : '';
    return html`<p><strong>${event}</strong> was postponed.</p>
      <p class="soft">${date === '' ? 'The new date is not known yet.' : `The new date is ${date}.`}</p>
      <p class="soft">${venue}</p>
      <p class="soft">${[tickets, seats, named].filter((part) => part !== '').join(', ')}</p>`;
  }

  private amountOf(order: KnownOrder): string {
    const { MAIL_LOCALE: locale, CURRENCY: currency } = this.settings;
    return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(dollarsOf(moneyLeft(order)));
  }
}
