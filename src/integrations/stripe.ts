import { defineIntegration, type Reading, type SignedDelivery } from './integration.ts'
import {
  blocks,
  capitalized,
  details,
  inWords,
  link,
  linkIfAny,
  plain,
  quote,
  statement,
  time,
  words,
} from './markdown.ts'
import { lookUp, type Payload } from './payload.ts'
import { hmac, isRecent, isSameText, valuesOf } from './signatures.ts'

/** The subject of an event. */
interface Kind {
  readonly noun: string
  /** The topic; '' to use the customer's. */
  readonly topic: string
  /** Its path in the dashboard; '' without one. */
  readonly path: string
  readonly verbs: readonly string[]
}

const kind = (noun: string, topic: string, path: string, ...verbs: readonly string[]): Kind => ({
  noun,
  topic,
  path,
  verbs,
})

/** The events, by the part before the last dot. */
const KINDS: Readonly<Record<string, Kind>> = {
  account: kind('account', 'account updates', '', 'updated'),
  balance: kind('balance', 'balance', '', 'available'),
  charge: kind(
    'charge',
    'charges',
    'payments',
    ...['captured', 'expired', 'failed', 'pending', 'refunded', 'succeeded', 'updated'],
  ),
  'charge.dispute': kind(
    'dispute',
    'disputes',
    'disputes',
    ...['closed', 'created', 'funds_reinstated', 'funds_withdrawn', 'updated'],
  ),
  'charge.refund': kind('refund', 'refunds', '', 'updated'),
  refund: kind('refund', 'refunds', '', 'created', 'failed', 'updated'),
  'checkout.session': kind(
    'checkout session',
    'checkouts',
    '',
    ...['async_payment_failed', 'async_payment_succeeded', 'completed', 'expired'],
  ),
  coupon: kind('coupon', 'coupons', 'coupons', 'created', 'deleted', 'updated'),
  customer: kind('customer', '', 'customers', 'created', 'deleted', 'updated'),
  'customer.discount': kind('discount', '', '', 'created', 'deleted', 'updated'),
  'customer.source': kind('payment source', '', '', 'created', 'deleted', 'expiring', 'updated'),
  'customer.subscription': kind(
    'subscription',
    '',
    'subscriptions',
    ...['created', 'deleted', 'paused', 'pending_update_applied', 'pending_update_expired', 'resumed'],
    ...['trial_will_end', 'updated'],
  ),
  invoice: kind(
    'invoice',
    'invoices',
    'invoices',
    ...['created', 'deleted', 'finalization_failed', 'finalized', 'marked_uncollectible', 'overdue', 'paid'],
    ...['payment_action_required', 'payment_failed', 'payment_succeeded', 'sent', 'upcoming', 'updated'],
    ...['voided', 'will_be_due'],
  ),
  invoiceitem: kind('invoice item', 'invoices', '', 'created', 'deleted', 'updated'),
  payment_intent: kind(
    'payment',
    'payments',
    'payments',
    ...[
      'amount_capturable_updated',
      'canceled',
      'created',
      'partially_funded',
      'payment_failed',
      'processing',
    ],
    ...['requires_action', 'succeeded'],
  ),
  payment_method: kind('payment method', 'payment methods', '', 'attached', 'detached', 'updated'),
  payout: kind('payout', 'payouts', 'payouts', 'canceled', 'created', 'failed', 'paid', 'updated'),
  plan: kind('plan', 'products', 'plans', 'created', 'deleted', 'updated'),
  price: kind('price', 'products', 'prices', 'created', 'deleted', 'updated'),
  product: kind('product', 'products', 'products', 'created', 'deleted', 'updated'),
  'radar.early_fraud_warning': kind('fraud warning', 'fraud', '', 'created', 'updated'),
  review: kind('review', 'reviews', '', 'closed', 'opened'),
  transfer: kind('transfer', 'transfers', 'connect/transfers', 'created', 'reversed', 'updated'),
}

/** The words for an event, if not "was" and the verb. */
const VERBS: Readonly<Record<string, string>> = {
  amount_capturable_updated: 'can be captured',
  async_payment_failed: 'could not be paid',
  async_payment_succeeded: 'was paid',
  available: 'has available funds',
  expired: 'has expired',
  expiring: 'is about to expire',
  failed: 'has failed',
  finalization_failed: 'could not be finalized',
  funds_reinstated: 'has its funds reinstated',
  funds_withdrawn: 'has its funds withdrawn',
  marked_uncollectible: 'was marked as uncollectible',
  overdue: 'is overdue',
  payment_action_required: 'needs an action of the customer',
  payment_failed: 'could not be paid',
  payment_succeeded: 'was paid',
  pending: 'is pending',
  pending_update_applied: 'has its pending update applied',
  pending_update_expired: 'has a pending update that expired',
  processing: 'is being processed',
  requires_action: 'needs an action of the customer',
  succeeded: 'has succeeded',
  trial_will_end: 'has a trial that ends soon',
  upcoming: 'is upcoming',
  will_be_due: 'will be due soon',
}

/** Payments, customers and subscriptions of Stripe. Source: docs/interface/webhooks.md#services. */
export const stripe = defineIntegration({
  name: 'stripe',
  displayName: 'Stripe',
  events: Object.entries(KINDS).flatMap(([name, { verbs }]) => verbs.map((verb) => `${name}.${verb}`)),
  deliveryId: ({ body }) => body.text('id'),
  verify({ body, header, now }: SignedDelivery, secret: string): boolean {
    const signatures = header('Stripe-Signature')
    const timestamp = valuesOf(signatures, 't')[0] ?? ''
    if (!isRecent(timestamp, now)) return false
    const expected = hmac(secret, [`${timestamp}.`, body])
    return valuesOf(signatures, 'v1').some((given) => isSameText(given, expected))
  },
  sign: ({ body, now }, secret) => ({ 'Stripe-Signature': `t=${now},v1=${hmac(secret, [`${now}.`, body])}` }),
  read({ body }): Reading {
    const event = body.text('type')
    const dot = event.lastIndexOf('.')
    const [name, verb] = [event.slice(0, Math.max(dot, 0)), event.slice(dot + 1)]
    const found = lookUp(KINDS, name)
    if (!found?.verbs.includes(verb)) return { unsupported: event || 'unknown' }
    const thing = body.at('data', 'object')
    const dashboard = `https://dashboard.stripe.com/${body.isFalse('livemode') ? 'test/' : ''}`
    const address = (path: string, id: string) =>
      path !== '' && id !== '' ? `${dashboard}${path}/${encodeURIComponent(id)}` : ''
    const customer = found.noun === 'customer' ? '' : customerOf(thing, (id) => address('customers', id))
    const id = thing.text('id')
    const amount = amountOf(thing, verb)
    const before = body.at('data', 'previous_attributes')
    const subject = words(
      capitalized(found.noun),
      link(
        thing.firstText('number', 'name') || id,
        thing.text('hosted_invoice_url') || address(found.path, id),
      ),
      found.noun === 'customer' && thing.has('email') ? `(${plain(thing.text('email'))})` : '',
      amount && `of ${amount}`,
      customer && `for ${customer}`,
    )
    const done = VERBS[verb] ?? `was ${inWords(verb)}`
    return {
      event,
      topic: found.topic || (found.noun === 'customer' ? id : idOf(thing.at('customer'))) || 'customers',
      text: statement(
        words(subject, done),
        blocks(quote(failureOf(thing)), details(factsOf(thing, before), before.unread())),
      ),
    }
  },
})

/** Returns a customer as a link: Stripe sends its id, or the whole object. */
function customerOf(thing: Payload, addressOf: (id: string) => string): string {
  const customer = thing.at('customer')
  const id = idOf(customer)
  const name =
    customer.firstText('name', 'email') ||
    thing.firstText('customer_name', 'customer_email') ||
    thing.at('customer_details').firstText('name', 'email') ||
    thing.at('billing_details').firstText('name', 'email') ||
    thing.text('receipt_email') ||
    id
  return link(name, id && addressOf(id))
}

function idOf(thing: Payload): string {
  return thing.text() || thing.text('id')
}

function failureOf(thing: Payload): string {
  return (
    thing.text('failure_message') ||
    thing.text('last_payment_error', 'message') ||
    thing.text('last_finalization_error', 'message') ||
    (thing.text('status') === 'failed' ? thing.text('outcome', 'seller_message') : '')
  )
}

/** Keys of the object worth showing besides its name, with labels. */
function factsOf(thing: Payload, before: Payload): (readonly [string, string])[] {
  return [
    ['Description', plain(thing.text('description'))],
    ['Reason', inWords(thing.firstText('reason', 'cancellation_reason'))],
    ['Plan', plain(thing.at('plan').firstText('nickname', 'name', 'id'))],
    ['Due', time(thing.text('due_date'))],
    ['Trial until', time(thing.text('trial_end'))],
    ['Receipt', linkIfAny('open', thing.text('receipt_url'))],
    ...changesOf(thing, before),
  ]
}

/** Attributes that hold a time in UNIX seconds. */
const OF_TIME = /(?:_at|_end|_start|_date|^created)$/
/** Attributes without information, or shown among the facts in other words. */
const DULL: readonly string[] = [
  'description',
  'metadata',
  'object',
  'updated',
  'receipt_url',
  'due_date',
  'trial_end',
]

/** Returns the attributes with changed values. */
function changesOf(thing: Payload, before: Payload): (readonly [string, string])[] {
  return before.entries().flatMap(([name, old]) => {
    if (DULL.includes(name)) return []
    const shown = (value: Payload) => (OF_TIME.test(name) && time(value.text())) || inWords(value.text())
    const [from, to] = [shown(old), shown(thing.at(name))]
    const text = from !== '' && to !== '' ? `${from} → ${to}` : to
    return [[capitalized(name.replaceAll('_', ' ')), text] as const]
  })
}

/** Currencies without minor units, and those with three digits of them. */
const DIGITS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf'.split(' ').map((name) => [name, 0]),
  ),
  ...Object.fromEntries('bhd jod kwd omr tnd'.split(' ').map((name) => [name, 3])),
}

/** Keys of the amount: a refund is part of the charge. */
const AMOUNTS = ['amount', 'amount_total', 'amount_due', 'total', 'unit_amount'] as const

/** Returns the amount of money: `1,234.50 EUR`; '' without one. */
function amountOf(thing: Payload, verb: string): string {
  const keys = verb === 'refunded' ? (['amount_refunded', ...AMOUNTS] as const) : AMOUNTS
  const key = keys.find((name) => thing.number(name) !== undefined)
  const currency = thing.text('currency').toLowerCase()
  if (key === undefined || !/^[a-z]{3}$/.test(currency)) return ''
  const digits = lookUp(DIGITS, currency) ?? 2
  const amount = thing.number(key)! / 10 ** digits
  const written = amount.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return `${written} ${currency.toUpperCase()}`
}
