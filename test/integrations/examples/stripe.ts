import type { Example } from '../example.ts'

const event = (type: string, object: object, more: object = {}) => ({
  id: `evt_${type}`,
  object: 'event',
  api_version: '2026-01-28',
  created: 1_793_616_000,
  livemode: true,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type,
  ...more,
  data: { object, ...('data' in more ? (more.data as object) : {}) },
})
const charge = {
  id: 'ch_1',
  object: 'charge',
  amount: 123_450,
  amount_refunded: 0,
  currency: 'eur',
  customer: 'cus_1',
  description: 'Ten wheels',
  billing_details: { name: 'Ada', email: 'ada@example.com' },
  status: 'succeeded',
  receipt_url: 'https://pay.stripe.com/receipts/1',
  outcome: { seller_message: 'Payment complete.' },
}
const invoice = {
  id: 'in_1',
  object: 'invoice',
  number: 'ACME-0001',
  amount_due: 4_900,
  currency: 'usd',
  customer: 'cus_1',
  customer_name: 'Ada',
  due_date: 1_793_702_400,
  hosted_invoice_url: 'https://invoice.stripe.com/i/1',
  status: 'open',
}
const subscription = {
  id: 'sub_1',
  object: 'subscription',
  customer: 'cus_1',
  status: 'active',
  trial_end: null,
  cancel_at: 1_793_702_400,
  plan: { id: 'plan_1', nickname: 'Gold' },
}

export const STRIPE_EXAMPLES: readonly Example[] = [
  {
    what: 'a charge',
    body: event('charge.succeeded', charge),
    messages: [
      {
        topic: 'charges',
        text: 'Charge [ch_1](https://dashboard.stripe.com/payments/ch_1) of 1,234.50 EUR for [Ada](https://dashboard.stripe.com/customers/cus_1) has succeeded:\n\n* Description: Ten wheels\n* Receipt: [open](https://pay.stripe.com/receipts/1)',
      },
    ],
  },
  {
    what: 'a charge that fails, in a test, in yen',
    body: event(
      'charge.failed',
      {
        ...charge,
        amount: 500,
        currency: 'jpy',
        status: 'failed',
        failure_message: 'Your card was declined.',
        receipt_url: null,
      },
      { livemode: false },
    ),
    messages: [
      {
        topic: 'charges',
        text: 'Charge [ch_1](https://dashboard.stripe.com/test/payments/ch_1) of 500 JPY for [Ada](https://dashboard.stripe.com/test/customers/cus_1) has failed:\n\n~~~ quote\nYour card was declined.\n~~~\n\n* Description: Ten wheels',
      },
    ],
  },
  {
    what: 'a refund',
    body: event('charge.refunded', { ...charge, amount_refunded: 5_000 }),
    messages: [
      {
        topic: 'charges',
        text: 'Charge [ch_1](https://dashboard.stripe.com/payments/ch_1) of 50.00 EUR for [Ada](https://dashboard.stripe.com/customers/cus_1) was refunded:\n\n* Description: Ten wheels\n* Receipt: [open](https://pay.stripe.com/receipts/1)',
      },
    ],
  },
  {
    what: 'a dispute',
    body: event('charge.dispute.created', {
      id: 'dp_1',
      object: 'dispute',
      amount: 1_000,
      currency: 'usd',
      reason: 'product_not_received',
    }),
    messages: [
      {
        topic: 'disputes',
        text: 'Dispute [dp_1](https://dashboard.stripe.com/disputes/dp_1) of 10.00 USD was created:\n\n* Reason: product not received',
      },
    ],
  },
  {
    what: 'a new customer',
    body: event('customer.created', {
      id: 'cus_1',
      object: 'customer',
      name: 'Ada [Lovelace]',
      email: 'ada@example.com',
    }),
    messages: [
      {
        topic: 'cus_1',
        text: 'Customer [Ada &#91;Lovelace&#93;](https://dashboard.stripe.com/customers/cus_1) (ada&#64;example&#46;com) was created.',
      },
    ],
  },
  {
    what: 'a changed subscription',
    body: event('customer.subscription.updated', subscription, {
      data: {
        previous_attributes: { status: 'trialing', cancel_at: null, metadata: {}, plan: { id: 'plan_0' } },
      },
    }),
    messages: [
      {
        topic: 'cus_1',
        text: 'Subscription [sub_1](https://dashboard.stripe.com/subscriptions/sub_1) for [cus_1](https://dashboard.stripe.com/customers/cus_1) was updated:\n\n* Plan: Gold\n* Status: trialing → active\n* Cancel at: <time:2026-11-03T10:40:00Z>',
      },
    ],
  },
  {
    what: 'a trial that ends',
    body: event('customer.subscription.trial_will_end', { ...subscription, trial_end: 1_793_702_400 }),
    messages: [
      {
        topic: 'cus_1',
        text: 'Subscription [sub_1](https://dashboard.stripe.com/subscriptions/sub_1) for [cus_1](https://dashboard.stripe.com/customers/cus_1) has a trial that ends soon:\n\n* Plan: Gold\n* Trial until: <time:2026-11-03T10:40:00Z>',
      },
    ],
  },
  {
    what: 'an invoice that is not paid',
    body: event('invoice.payment_failed', invoice),
    messages: [
      {
        topic: 'invoices',
        text: 'Invoice [ACME-0001](https://invoice.stripe.com/i/1) of 49.00 USD for [Ada](https://dashboard.stripe.com/customers/cus_1) could not be paid:\n\n* Due: <time:2026-11-03T10:40:00Z>',
      },
    ],
  },
  {
    what: 'a payment that needs the customer',
    body: event('payment_intent.requires_action', {
      id: 'pi_1',
      amount: 12_345,
      currency: 'kwd',
      customer: { id: 'cus_1', email: 'ada@example.com' },
    }),
    messages: [
      {
        topic: 'payments',
        text: 'Payment [pi_1](https://dashboard.stripe.com/payments/pi_1) of 12.345 KWD for [ada@example.com](https://dashboard.stripe.com/customers/cus_1) needs an action of the customer.',
      },
    ],
  },
  {
    what: 'a payout',
    body: event('payout.paid', { id: 'po_1', amount: 99, currency: 'gbp' }),
    messages: [
      {
        topic: 'payouts',
        text: 'Payout [po_1](https://dashboard.stripe.com/payouts/po_1) of 0.99 GBP was paid.',
      },
    ],
  },
  {
    what: 'a checkout',
    body: event('checkout.session.completed', {
      id: 'cs_1',
      amount_total: 4_900,
      currency: 'usd',
      customer: null,
      customer_details: { email: 'ada@example.com' },
    }),
    messages: [
      {
        topic: 'checkouts',
        text: 'Checkout session cs_1 of 49.00 USD for ada&#64;example&#46;com was completed.',
      },
    ],
  },
  {
    what: 'an amount without a currency',
    body: event('charge.pending', { id: '', amount: '7', currency: '€' }),
    messages: [{ topic: 'charges', text: 'Charge is pending.' }],
  },
  { what: 'another event', body: event('issuing_card.created', {}), unsupported: 'issuing_card.created' },
  { what: 'another verb', body: event('charge.constructor', {}), unsupported: 'charge.constructor' },
]
