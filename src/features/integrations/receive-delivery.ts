import {
  assert,
  BadRequestError,
  ChannelDoesNotExistError,
  ChannelIsArchivedError,
  MissingEventHeaderError,
  UnsupportedEventError,
} from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { LostSecretError } from '../../core/sealed-secret.ts'
import { findIntegration } from '../../integrations/index.ts'
import type { Integration } from '../../integrations/integration.ts'
import type { ReadDelivery } from '../../integrations/read-delivery.ts'
import type { Caller } from '../../model/caller.ts'
import { firstUnprintable } from '../../model/messages/text/compose.ts'
import { type SendMessageParams, sendForCaller } from '../../model/sending/send-for-caller.ts'
import { warnOfMissingChannel } from '../../model/sending/warn-bot-owner.ts'
import { botSettings } from '../../store/bots/bot-setting-rows.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import {
  type IncomingDelivery,
  type IncomingWebhook,
  incomingWebhook,
  noteIncomingDelivery,
} from '../../store/integrations/incoming-webhook-rows.ts'

/** A post as the Worker has read it. */
export type CheckedDelivery = ReadDelivery & {
  /** Whether its signature was checked. */
  readonly isVerified?: true
}

/** A post for an integration, with the destination from its URL. */
export interface ReceivedPost {
  readonly integration: string
  /** Name or decimal id; absent: a direct message to the bot's owner. */
  readonly stream?: string
  readonly topic?: string
  /** Whether it goes to the bot's default channel if the URL names none. */
  readonly to_default_channel?: boolean
  /** The body as the Worker has read it. */
  readonly delivery?: CheckedDelivery
}

/** The settings of the bot that are needed to read a post. */
export type ReadingSettings = Pick<IncomingWebhook, 'secrets' | 'topicTemplate' | 'textTemplate'>

/** Either all is done, or the Worker must first read a large body, check the signature or apply a template, and call again. */
export type ReceivedDelivery =
  | { readonly kind: 'wanted'; readonly settings: ReadingSettings }
  | {
      readonly kind: 'done'
      readonly noted: Pick<IncomingDelivery, 'event' | 'outcome' | 'error'>
      /** The first message that was sent, now or earlier. */
      readonly message?: { readonly id: number; readonly text: string }
    }

/**
 * Sends a service's post as messages of the bot, which is the caller, and records the outcome.
 * @throws the refusal of a post that is malformed, unsigned or of an unknown event
 */
export function receiveDelivery(tx: RealmTransaction, bot: Caller, post: ReceivedPost): ReceivedDelivery {
  const { delivery, integration } = deliveryOf(post)
  const { allowsMentions, ...settings } = incomingWebhook(tx.sql, bot.user.id)
  if (settings.secrets.length > 0 && !delivery.isVerified) return { kind: 'wanted', settings }
  switch (delivery.kind) {
    case 'not read':
    case 'template wanted':
      return { kind: 'wanted', settings }
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
      const { lacking, message } = sendAll(tx, bot, post, delivery, allowsMentions)
      const outcome = delivery.messages.length === 0 ? 'nothing' : lacking ? 'refused' : 'sent'
      const noted = { event: delivery.event, outcome, error: lacking?.message ?? null } as const
      noteDelivery(tx, bot, post, noted)
      return { kind: 'done', noted, ...(message ? { message } : {}) }
    }
  }
}

/** Returns what the Worker has read, and for which integration. */
export function deliveryOf(params: ReceivedPost): {
  readonly delivery: CheckedDelivery
  readonly integration: Integration
} {
  const integration = findIntegration(params.integration)
  assert(integration && params.delivery, 'The Worker reads the body of a known integration')
  return { integration, delivery: params.delivery }
}

interface Sent {
  /** The first message. */
  readonly message?: { readonly id: number; readonly text: string }
  /** The refusal if the channel does not exist, which the service does not see. */
  readonly lacking?: ChannelDoesNotExistError
}

function sendAll(
  tx: RealmTransaction,
  caller: Caller,
  params: ReceivedPost,
  delivery: Extract<ReadDelivery, { kind: 'messages' }>,
  allowsMentions: boolean,
): Sent {
  const { messages } = delivery
  let first: Sent['message']
  for (const [at, message] of messages.entries()) {
    const content = allowsMentions ? message.text : silenced(message.text)
    const sender = asDelivery(caller, params, delivery, at)
    try {
      const sent = sendForCaller(tx, sender, { ...destinationOf(tx, caller, params, message), content })
      first ??= { id: sent.id, text: content }
    } catch (error) {
      // Services turn a hook off after some errors; here the owner can fix it.
      if (!(error instanceof ChannelDoesNotExistError) || params.to_default_channel) throw error
      warnOfMissingChannel(tx, caller.user, error, caller.source.origin)
      return { lacking: error }
    }
  }
  return { message: first }
}

/** Records a post's outcome for the bot's owner. */
function noteDelivery(
  { sql, now }: RealmTransaction,
  { user }: Pick<Caller, 'user'>,
  { integration }: ReceivedPost,
  result: Pick<IncomingDelivery, 'event' | 'outcome' | 'error'>,
): void {
  noteIncomingDelivery(sql, user.id, { at: Math.floor(now), integration, ...result })
}

/** Records that a post was refused. */
export function noteRefusal(
  tx: RealmTransaction,
  bot: Pick<Caller, 'user'>,
  post: ReceivedPost,
  refusal: Error,
): void {
  const { delivery } = deliveryOf(post)
  const event = 'event' in delivery ? delivery.event : ''
  noteDelivery(tx, bot, post, { event, outcome: 'refused', error: refusal.message })
}

type Sendable = Extract<ReadDelivery, { kind: 'messages' }>['messages'][number]

function destinationOf(
  { sql }: RealmTransaction,
  { user }: Caller,
  { stream: named, topic, to_default_channel }: ReceivedPost,
  { topic: ownTopic, isForOwner }: Sendable,
): Pick<SendMessageParams, 'type' | 'to' | 'topic'> {
  if (isForOwner && user.botOwnerId !== null) {
    return { type: 'direct', to: JSON.stringify([user.botOwnerId]) }
  }
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

/** Replaces invalid characters in a topic that the service has chosen. */
function printable(topic: string): string {
  return firstUnprintable(topic) === undefined
    ? topic
    : topic.replace(/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/gu, ' ')
}

/** Makes a text's mentions silent: otherwise anyone who can write in the service could notify the whole organization. */
function silenced(text: string): string {
  return text.replaceAll(/@(?=\*)/g, '@_')
}

/**
 * Returns the caller as the integration's client, with a key that identifies repeated deliveries: the request's, or one with the sender's
 * id. The same event may be posted to several URLs of one bot.
 */
function asDelivery(
  caller: Caller,
  params: ReceivedPost,
  { id, retriesWithin }: Extract<ReadDelivery, { kind: 'messages' }>,
  at: number,
): Caller {
  const { source } = caller
  const { integration, stream = '', topic = '' } = params
  const { displayName } = findIntegration(integration)!
  const userAgent = `Parley${displayName.replaceAll(/\W/g, '')}Webhook`
  const own = source.idempotency?.key ?? JSON.stringify(['delivery', integration, stream, topic, id])
  const key = at === 0 ? own : JSON.stringify([own, at])
  // A repetition by the service may differ in its time.
  const request = source.idempotency?.request ?? 'the sender knows'
  const { idempotency: _, ...rest } = source
  const isRecognized = source.idempotency !== undefined || id !== ''
  const within = source.idempotency || retriesWithin === undefined ? {} : { seconds: retriesWithin }
  return {
    ...caller,
    source: { ...rest, userAgent, ...(isRecognized ? { idempotency: { key, request, ...within } } : {}) },
  }
}
