import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { MAX_HANDMADE_LIST_LENGTH, NAME_LENGTH, VALUE_LENGTH } from '../../api/input-limits.ts'
import { sentTopic } from '../../api/message-parameters.ts'
import { json, jsonBoolean, listUpTo, textUpTo } from '../../api/parameter-types.ts'
import type { ArrivedBody } from '../../core/arrived-body.ts'
import type { Command } from '../../core/command.ts'
import {
  assert,
  BadRequestError,
  ChannelDoesNotExistError,
  ChannelIsArchivedError,
  MissingEventHeaderError,
  NotFoundError,
  UnsupportedEventError,
} from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { LostSecretError } from '../../core/sealed-secret.ts'
import { findIntegration } from '../../integrations/index.ts'
import type { Integration } from '../../integrations/integration.ts'
import { OPTIONS } from '../../integrations/options.ts'
import { type ReadDelivery, readDelivery } from '../../integrations/read-delivery.ts'
import { hmac } from '../../integrations/signatures.ts'
import { templateOf } from '../../integrations/template-language.ts'
import { escapeName } from '../../markdown/mention-text.ts'
import { warnOfMissingChannel } from '../../model/bots/warn-bot-owner.ts'
import type { Caller } from '../../model/caller.ts'
import { presentSent, type SentWebhookMessage } from '../../model/integrations/present-sent.ts'
import { firstUnprintable } from '../../model/messages/send/message-text.ts'
import { type SendMessageParams, sendForCaller } from '../../model/messages/send/send-for-caller.ts'
import { botSettings } from '../../store/bots/bot-setting-rows.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import {
  type IncomingDelivery,
  noteIncomingDelivery,
} from '../../store/integrations/incoming-delivery-rows.ts'
import { type IncomingWebhook, incomingWebhook } from '../../store/integrations/incoming-webhook-rows.ts'
import { isSigned, openedSecrets } from './in-worker/verify-post.ts'
import { notifyOwner } from './notify-owner.ts'
import { readLargeBody } from './read-large-body.ts'

interface ReceiveWebhookParams {
  readonly integration: string
  /** Name or decimal id; absent: a direct message to the bot's owner. */
  readonly stream?: string
  readonly topic?: string
  /** Whether it goes to the bot's default channel, if the address names none. */
  readonly to_default_channel?: boolean
  /** Whether the answer has the message. */
  readonly wait?: boolean
  /** What the Worker has read of the body. */
  readonly delivery?: ReadDelivery & {
    /** Whether its signature was checked. */
    readonly isVerified?: true
  }
}

/** Either all is done, or the Worker has to read a large body, to check the signature or to use a template, and to come again. */
interface ReceivedWebhook {
  readonly settings?: Pick<IncomingWebhook, 'secrets' | 'topicTemplate' | 'textTemplate'>
  /** The first message that was sent, or had been, for those who wait for it. */
  readonly message?: SentWebhookMessage
}

/**
 * Sends what another service has posted as a message of the bot. Source: docs/interface/webhooks.md#incoming-webhooks.
 */
const receiveWebhook: Command<Caller, ReceiveWebhookParams, void, ReceivedWebhook> = {
  apply(tx, caller, params) {
    const { delivery, integration } = of(params)
    const { allowsMentions, ...settings } = incomingWebhook(tx.sql, caller.user.id)
    if (settings.secrets.length > 0 && !delivery.isVerified) return { settings }
    switch (delivery.kind) {
      case 'not read':
      case 'template wanted':
        return { settings }
      case 'unsigned':
        throw new BadRequestError('Webhook signature verification failed.')
      case 'secret lost':
        throw new LostSecretError()
      case 'malformed':
        throw new BadRequestError('Malformed JSON')
      case 'no event':
        throw new MissingEventHeaderError(delivery.header)
      case 'unsupported':
        throw new UnsupportedEventError(integration.displayName, delivery.event)
      case 'messages': {
        const { lacking, message } = sendAll(tx, caller, params, delivery, allowsMentions)
        const outcome = delivery.messages.length === 0 ? 'nothing' : lacking ? 'refused' : 'sent'
        note(tx, caller, params, { event: delivery.event, outcome, error: lacking?.message ?? null })
        return params.wait && message ? { message: presentSent(tx, caller, message.id, message.text) } : {}
      }
    }
  },
  afterRefusal(tx, { user, source }, params, refusal) {
    const { delivery, integration } = of(params)
    const { displayName } = integration
    note(tx, { user }, params, { event: eventOf(delivery), outcome: 'refused', error: refusal.message })
    warnOfMissingChannel(tx, user, refusal, source.origin)
    if (refusal instanceof MissingEventHeaderError) {
      const what = `got a request of the ${displayName} integration without the HTTP header \`${refusal.header}\`, in which ${displayName} says which event it posts. Perhaps the URL is that of another integration, or the service is too old to send it.`
      notifyOwner(tx, user, 'no event', what, source.origin)
    } else if (refusal instanceof UnsupportedEventError) {
      const event = escapeName(refusal.event)
      const what = `got the event "${event}" of ${displayName}, for which there are no messages yet. Other events of this kind are not reported for a day. You can turn it off at ${displayName}.`
      notifyOwner(tx, user, 'unsupported', what, source.origin)
    } else if (delivery.kind === 'malformed') {
      const what = `got a request of the ${displayName} integration whose body is not JSON. Please choose JSON as the format at ${displayName}.`
      notifyOwner(tx, user, 'malformed', what, source.origin)
    }
  },
}

function of(params: ReceiveWebhookParams): {
  readonly delivery: NonNullable<ReceiveWebhookParams['delivery']>
  readonly integration: Integration
} {
  const integration = findIntegration(params.integration)
  assert(integration && params.delivery, 'The Worker reads the body of a known integration')
  return { integration, delivery: params.delivery }
}

interface Sent {
  /** The first message. */
  readonly message?: { readonly id: number; readonly text: string }
  /** The refusal where the channel does not exist, which is none for the service. */
  readonly lacking?: ChannelDoesNotExistError
}

function sendAll(
  tx: RealmTransaction,
  caller: Caller,
  params: ReceiveWebhookParams,
  delivery: Extract<ReadDelivery, { kind: 'messages' }>,
  allowsMentions: boolean,
): Sent {
  const { messages } = delivery
  let first: Sent['message']
  for (const [at, message] of messages.entries()) {
    const content = allowsMentions ? message.text : silenced(message.text)
    const sender = asDelivery(caller, params, delivery, at)
    try {
      const sent = sendForCaller(tx, sender, { ...destinationOf(tx, caller, params, message.topic), content })
      first ??= { id: sent.id, text: content }
    } catch (error) {
      // Services turn a hook off after some errors: the owner can put it right.
      if (!(error instanceof ChannelDoesNotExistError) || params.to_default_channel) throw error
      warnOfMissingChannel(tx, caller.user, error, caller.source.origin)
      return { lacking: error }
    }
  }
  return { message: first }
}

/** Notes what came of a post, for the bot's owner. */
function note(
  { sql, now }: RealmTransaction,
  { user }: Pick<Caller, 'user'>,
  { integration }: ReceiveWebhookParams,
  result: Pick<IncomingDelivery, 'event' | 'outcome' | 'error'>,
): void {
  noteIncomingDelivery(sql, user.id, { at: Math.floor(now), integration, ...result })
}

function eventOf(delivery: ReadDelivery): string {
  return 'event' in delivery ? delivery.event : ''
}

function destinationOf(
  { sql }: RealmTransaction,
  { user }: Caller,
  { stream: named, topic, to_default_channel }: ReceiveWebhookParams,
  ownTopic: string,
): Pick<SendMessageParams, 'type' | 'to' | 'topic'> {
  const byDefault = to_default_channel ? botSettings(sql, user.id).sendingChannelId : null
  if (named === undefined && byDefault !== null && findChannel(sql, byDefault)?.isArchived) {
    throw new ChannelIsArchivedError()
  }
  const stream = named ?? byDefault?.toString()
  if (stream === undefined) {
    if (user.botOwnerId === null) throw new BadRequestError('Missing channel')
    return { type: 'direct', to: JSON.stringify([user.botOwnerId]) }
  }
  const to = /^\d{1,15}$/.test(stream) ? stream : JSON.stringify(stream)
  return { type: 'channel', to, topic: topic ?? printable(ownTopic) }
}

/** Returns a topic without characters that none may have: the service has chosen it. */
function printable(topic: string): string {
  return firstUnprintable(topic) === undefined
    ? topic
    : topic.replace(/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/gu, ' ')
}

/** Returns a text whose mentions notify nobody: whoever can write into the service could call anybody. */
function silenced(text: string): string {
  return text.replaceAll(/@(?=\*)/g, '@_')
}

/**
 * Returns the caller as the client of the integration, with a key by which a delivery that comes again is recognized: that of the request, or
 * the sender's id. The same event may be posted to several addresses of one bot.
 */
function asDelivery(
  caller: Caller,
  params: ReceiveWebhookParams,
  { id, retriesWithin }: Extract<ReadDelivery, { kind: 'messages' }>,
  at: number,
): Caller {
  const { source } = caller
  const { integration, stream = '', topic = '' } = params
  const { displayName } = findIntegration(integration)!
  const userAgent = `Parley${displayName.replaceAll(/\W/g, '')}Webhook`
  const own = source.idempotency?.key ?? JSON.stringify(['delivery', integration, stream, topic, id])
  const key = at === 0 ? own : JSON.stringify([own, at])
  // What a service sends again may differ in its time.
  const request = source.idempotency?.request ?? 'the sender knows'
  const { idempotency: _, ...rest } = source
  const isRecognized = source.idempotency !== undefined || id !== ''
  const within = source.idempotency || retriesWithin === undefined ? {} : { seconds: retriesWithin }
  return {
    ...caller,
    source: { ...rest, userAgent, ...(isRecognized ? { idempotency: { key, request, ...within } } : {}) },
  }
}

/** The integration for programs that write to Slack, which look for `ok`. */
const SLACK = 'slack_incoming'

/** MiB of a post. */
const MAX_POST = 5

const eventFilter = (description: string) =>
  v.optional(
    v.pipe(json(listUpTo(MAX_HANDMADE_LIST_LENGTH, textUpTo(NAME_LENGTH))), v.description(description)),
  )

/** The options of all integrations, as parameters. They are read with the body. */
const options: Readonly<Record<string, v.GenericSchema<string | undefined, string | undefined>>> =
  Object.fromEntries(
    Object.entries(OPTIONS).map(([name, { label }]) => [
      name,
      v.optional(v.pipe(textUpTo(VALUE_LENGTH), v.description(`${label}. Only some integrations have it.`))),
    ]),
  )

/**
 * Takes a post of another service, and sends what it says as a message of the bot.
 * Source: docs/interface/webhooks.md#incoming-webhooks.
 */
export const receiveWebhookEndpoint = defineEndpoint({
  operation: 'receive-webhook',
  method: 'POST',
  path: '/external/:integration',
  access: 'bot',
  growsObject: true,
  takesWebhookBots: true,
  keyInParameter: true,
  params: {
    integration: textUpTo(NAME_LENGTH),
    api_key: v.pipe(textUpTo(NAME_LENGTH), v.description('The key of the bot.')),
    stream: v.optional(
      v.pipe(
        textUpTo(NAME_LENGTH),
        v.description('Name or id of the channel. By default the bot writes to its owner.'),
      ),
    ),
    topic: v.optional(v.pipe(sentTopic, v.description('By default the topic is that of the integration.'))),
    to_default_channel: v.optional(
      v.pipe(
        jsonBoolean,
        v.description(
          'Whether a message for no channel goes to the default channel of the bot, if it has one.',
        ),
      ),
    ),
    wait: v.optional(v.pipe(jsonBoolean, v.description('Whether the answer has the message. Parley only.'))),
    only_events: eventFilter('Names of events of which messages are made, with wildcards.'),
    exclude_events: eventFilter('Names of events of which none are made, with wildcards.'),
    ...(options as Record<never, never>),
  },
  returns: v.object({
    ok: v.optional(v.pipe(v.literal(true), v.description('For programs that write to Slack.'))),
    message_id: v.optional(v.pipe(v.number(), v.description('With `wait`, if there is a message.'))),
    channel_id: v.optional(
      v.pipe(v.nullable(v.number()), v.description('With `wait`. Null for a direct message.')),
    ),
    sender_full_name: v.optional(v.pipe(v.string(), v.description('With `wait`: the name of the bot.'))),
    content: v.optional(v.pipe(v.string(), v.description('With `wait`: the text, in Markdown.'))),
    timestamp: v.optional(v.pipe(v.number(), v.description('With `wait`. UNIX seconds.'))),
  }),
  command: receiveWebhook,
  audit: 'speech',
  // The message itself is found by the id of the delivery.
  idempotency: 'own',
  readsBody: {
    maxMib: MAX_POST,
    read: readBody,
    large: {
      maxMib: ({ integration }) => findIntegration(integration!)?.large?.maxMib,
      beforeReading: (params) => ({ ...params, delivery: { kind: 'not read' } }),
    },
  },
  async finish({ settings, message }: ReceivedWebhook, params: ReceiveWebhookParams, worker) {
    if (!settings) return answerTo(params, message)
    const secrets = await openedSecrets(settings.secrets, worker.secrets)
    const { body, largeBody, run } = worker
    const integration = findIntegration(params.integration)!
    let delivery = params.delivery
    if (!secrets) delivery = { kind: 'secret lost' }
    else if (largeBody) {
      const { arrived, hmac } = await readLargeBody(largeBody, secrets, worker)
      const isRight = isSigned(integration.large?.verify, { ...largeBody, hmac }, secrets)
      delivery = isRight ? readDelivery(integration, arrived, params) : { kind: 'unsigned' }
    } else if (body) {
      const hmacOf = (secret: string) => hmac(secret, [body.body])
      if (!isSigned(integration.verify, { ...body, hmac: hmacOf }, secrets)) delivery = { kind: 'unsigned' }
      else if (integration.usesTemplate)
        delivery = readDelivery(integration, body, params, templateOf(settings))
    }
    const again = { ...params, delivery: { ...delivery, isVerified: true } }
    const received = (await run('receive-webhook', again)) as ReceivedWebhook
    return answerTo(params, received.message)
  },
})

function answerTo(
  { integration }: ReceiveWebhookParams,
  message: SentWebhookMessage | undefined,
): Partial<SentWebhookMessage> & { readonly ok?: true } {
  return { ...(integration === SLACK ? { ok: true } : {}), ...message }
}

type Addressed = Omit<ReceiveWebhookParams, 'delivery'>

function readBody<Params extends Addressed>(params: Params, body: ArrivedBody): Params {
  const integration = findIntegration(params.integration)
  if (!integration) throw new NotFoundError('Not found')
  const address = integration.escapesTwice ? { ...params, ...decodedAgain(params) } : params
  return { ...address, delivery: readDelivery(integration, body, address) }
}

function decodedAgain({ stream, topic }: Addressed): Pick<Addressed, 'stream' | 'topic'> {
  return {
    ...(stream === undefined ? {} : { stream: decoded(stream) }),
    ...(topic === undefined ? {} : { topic: decoded(topic) }),
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
