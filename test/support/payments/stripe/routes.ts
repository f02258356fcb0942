import type { ProviderStep } from '../provider-double.js';
import type { StripeBook } from './book.js';
import type { Form } from './form.js';
import { listPage } from './list.js';
import {
  disputeObject,
  eventObject,
  fileObject,
  intentObject,
  lineObject,
  methodObject,
  payoutObject,
  refundObject,
} from './objects.js';
import type { IntentRecord, MethodRecord } from './records.js';
import { StripeDoubleError } from './stripe-error.js';
import { AUTHENTICATION_CARD, declineOf, isCardNumber, numberOfToken } from './test-cards.js';

type Route = Readonly<{
  method: 'GET' | 'POST';
  path: RegExp;
  step: ProviderStep;
  answer: (book: StripeBook, form: Form, id: string) => object;
}>;

/** In US dollars. */
const LEAST_CENTS = 50;

const AUTHENTICATION = { code: 'authentication_required', decline_code: 'authentication_required' };

export const ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: /^\/v1\/payment_intents$/,
    step: 'prepare',
    answer: (book, form) => intentObject(book.prepare(intentFields(form))),
  },
  {
    method: 'POST',
    path: /^\/v1\/payment_methods$/,
    step: 'prepare',
    answer: (book, form) => methodObject(newMethod(book, form)),
  },
  {
    method: 'GET',
    path: /^\/v1\/payment_methods\/(\w+)$/,
    step: 'read',
    answer: (book, _form, id) => methodObject(methodOf(book, id)),
  },
  { method: 'POST', path: /^\/v1\/payment_intents\/(\w+)\/confirm$/, step: 'authorise', answer: confirm },
  {
    method: 'POST',
    path: /^\/v1\/payment_intents\/(\w+)\/capture$/,
    step: 'capture',
    answer: (book, form, id) => {
      const intent = book.intent(id);
      book.capture(intent, form.number('amount_to_capture') ?? intent.amount);
      return intentObject(intent, form.list('expand'));
    },
  },
  {
    method: 'POST',
    path: /^\/v1\/payment_intents\/(\w+)\/cancel$/,
    step: 'void',
    answer: (book, form, id) => {
      book.cancel(book.intent(id));
      return intentObject(book.intent(id), form.list('expand'));
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/payment_intents\/(\w+)$/,
    step: 'read',
    answer: (book, form, id) => intentObject(book.intent(id), form.list('expand')),
  },
  {
    method: 'POST',
    path: /^\/v1\/refunds$/,
    step: 'refund',
    answer: (book, form) => {
      const intent = book.intent(form.needed('payment_intent'));
      return refundObject(book.refund(intent, form.number('amount') ?? intent.received, form.fieldsOf('metadata')));
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/refunds$/,
    step: 'read',
    answer: (book, form) => {
      const asked = form.text('payment_intent');
      const refunds = book.refundRecords.filter(({ intent }) => asked === undefined || intent.id === asked);
      return listPage(form, refunds, refundObject);
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/refunds\/(\w+)$/,
    step: 'read',
    answer: (book, _form, id) => {
      const refund = book.refundRecords.find((each) => each.id === id);
      if (!refund) throw StripeDoubleError.missing('refund', id);
      return refundObject(refund);
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/disputes\/(\w+)$/,
    step: 'read',
    answer: (book, _form, id) => disputeObject(book.dispute(id)),
  },
  { method: 'POST', path: /^\/v1\/disputes\/(\w+)$/, step: 'evidence', answer: sendEvidence },
  {
    method: 'POST',
    path: /^\/v1\/disputes\/(\w+)\/close$/,
    step: 'accept',
    answer: (book, _form, id) => {
      const dispute = book.dispute(id);
      if (dispute.status !== 'needs_response') throw StripeDoubleError.refused('dispute_closed', 'It has ended.');
      book.closeDispute(dispute, 'lost');
      return disputeObject(dispute);
    },
  },
  {
    method: 'POST',
    path: /^\/v1\/files$/,
    step: 'upload',
    answer: (book, form) => {
      const [name, type] = [form.needed('file[name]'), form.needed('file[type]')];
      const file = { id: book.id('file'), name, type, size: form.number('file[size]') ?? 0, created: book.now() };
      book.files.push(file);
      return fileObject(file);
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/events$/,
    step: 'read',
    answer: (book, form) => {
      const types = form.list('types');
      const events = book.events.filter(({ type }) => types.length === 0 || types.includes(type));
      return listPage(form, events, eventObject);
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/events\/(\w+)$/,
    step: 'read',
    answer: (book, _form, id) => {
      const event = book.events.find((each) => each.id === id);
      if (!event) throw StripeDoubleError.missing('event', id);
      return eventObject(event);
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/balance_transactions$/,
    step: 'read',
    answer: (book, form) =>
      listPage(form, book.lines, (line) =>
        lineObject(
          line,
          form.list('expand').map((path) => path.replace(/^data\./, '')),
        ),
      ),
  },
  {
    method: 'GET',
    path: /^\/v1\/payouts$/,
    step: 'read',
    answer: (book, form) => listPage(form, book.payouts, payoutObject),
  },
];

function intentFields(form: Form): Parameters<StripeBook['prepare']>[0] {
  if (form.needed('capture_method') !== 'manual') throw new Error('The double captures by hand alone.');
  const amount = Number(form.needed('amount'));
  if (amount < LEAST_CENTS) throw StripeDoubleError.refused('amount_too_small', 'Too little.', 'amount');
  return {
    amount,
    currency: form.needed('currency'),
    customer: form.text('customer') ?? null,
    description: form.text('description') ?? null,
    metadata: form.fieldsOf('metadata'),
  };
}

function newMethod(book: StripeBook, form: Form): MethodRecord {
  const token = form.text('card[token]');
  const number = token === undefined ? form.needed('card[number]') : numberOfToken(token);
  if (number === undefined) throw StripeDoubleError.refused('resource_missing', 'No such token.', 'payment_method');
  if (!isCardNumber(number)) throw cardError({ code: 'incorrect_number', decline_code: 'incorrect_number' });
  const [month, year] = [form.number('card[exp_month]') ?? 12, form.number('card[exp_year]') ?? 2_039];
  const name = form.text('billing_details[name]') ?? null;
  const method = { id: book.id('pm'), number, month, year, name, customer: null };
  book.methods.set(method.id, method);
  return method;
}

function methodOf(book: StripeBook, id: string): MethodRecord {
  const number = id.startsWith('pm_card_') ? numberOfToken(id) : undefined;
  const known =
    number === undefined ? book.methods.get(id) : { id, number, month: 12, year: 2_039, name: null, customer: null };
  if (!known) throw StripeDoubleError.refused('resource_missing', `No such PaymentMethod: '${id}'`, 'payment_method');
  return known;
}

function confirm(book: StripeBook, form: Form, id: string): object {
  const intent = book.intent(id);
  const method = methodOf(book, form.needed('payment_method'));
  if (intent.status !== 'requires_payment_method') {
    throw StripeDoubleError.refused('payment_intent_unexpected_state', `It has a status of ${intent.status}.`);
  }
  if (method.customer !== intent.customer) {
    throw StripeDoubleError.refused('parameter_missing', 'The PaymentMethod belongs to a customer.', 'customer');
  }
  const decline = declineOf(method.number);
  if (decline) return refuse(book, intent, decline);
  if (method.number === AUTHENTICATION_CARD) {
    if (form.text('error_on_requires_action') === 'true' && !book.asksBuyers)
      return refuse(book, intent, AUTHENTICATION);
    intent.status = 'requires_action';
  } else book.authorise(intent, method);
  return intentObject(intent, form.list('expand'));
}

function refuse(book: StripeBook, intent: IntentRecord, decline: NonNullable<IntentRecord['error']>): never {
  book.decline(intent, decline);
  throw cardError(decline, intent);
}

/** Stripe shows the intent with the error. */
function cardError(decline: NonNullable<IntentRecord['error']>, intent?: IntentRecord): StripeDoubleError {
  const shown = intent && { payment_intent: intentObject(intent) };
  return new StripeDoubleError(402, { type: 'card_error', message: 'Your card was declined.', ...decline, ...shown });
}

function sendEvidence(book: StripeBook, form: Form, id: string): object {
  const dispute = book.dispute(id);
  if (dispute.submissions > 0) throw StripeDoubleError.refused('dispute_submitted', 'Evidence was submitted.');
  dispute.evidence = { ...dispute.evidence, ...form.fieldsOf('evidence') };
  if (form.text('submit') !== 'false') {
    dispute.submissions += 1;
    dispute.status = 'under_review';
  }
  book.changed(dispute);
  return disputeObject(dispute);
}
