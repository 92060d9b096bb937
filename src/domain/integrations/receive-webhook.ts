import type { Command } from '../../core/command.ts'
import {
  assert,
  BadRequestError,
  ChannelDoesNotExistError,
  ChannelIsArchivedError,
  MissingEventHeaderError,
  UnsupportedEventError,
} from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { findIntegration } from '../../integrations/index.ts'
import type { Integration } from '../../integrations/integration.ts'
import type { ReadDelivery } from '../../integrations/read-delivery.ts'
import { escapeName } from '../../markdown/mention-text.ts'
import { botSettings } from '../bots/bot-setting-rows.ts'
import { warnOfMissingChannel } from '../bots/warn-bot-owner.ts'
import type { Caller } from '../caller.ts'
import { findChannel } from '../channels/channel-rows.ts'
import { firstUnprintable } from '../messages/send/message-text.ts'
import { type SendMessageParams, sendForCaller } from '../messages/send/send-for-caller.ts'
import {
  type IncomingDelivery,
  type IncomingWebhook,
  incomingWebhook,
  noteIncomingDelivery,
} from './incoming-webhook-rows.ts'
import { notifyOwner } from './notify-owner.ts'

export interface ReceiveWebhookParams {
  readonly integration: string
  /** Name or decimal id; absent: a direct message to the bot's owner. */
  readonly stream?: string
  readonly topic?: string
  /** Whether it goes to the bot's default channel, if the address names none. */
  readonly to_default_channel?: boolean
  /** Whether the answer has the id of the message. */
  readonly wait?: boolean
  /** What the Worker has read of the body. */
  readonly delivery?: ReadDelivery & {
    /** Whether its signature was checked. */
    readonly isVerified?: true
  }
}

/** Either all is done, or the Worker has to read a large body, to check the signature or to use a template, and to come again. */
export interface ReceivedWebhook {
  readonly settings?: Pick<IncomingWebhook, 'secrets' | 'topicTemplate' | 'textTemplate'>
  /** The first message that was sent, or had been. */
  readonly messageId?: number
}

/**
 * Sends what another service has posted as a message of the bot. Source: docs/interface/webhooks.md#incoming-webhooks.
 */
export const receiveWebhook: Command<Caller, ReceiveWebhookParams, void, ReceivedWebhook> = {
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
      case 'malformed':
        throw new BadRequestError('Malformed JSON')
      case 'no event':
        throw new MissingEventHeaderError(delivery.header)
      case 'unsupported':
        throw new UnsupportedEventError(integration.displayName, delivery.event)
      case 'messages': {
        const { lacking, messageId } = sendAll(tx, caller, params, delivery, allowsMentions)
        const outcome = delivery.messages.length === 0 ? 'nothing' : lacking ? 'refused' : 'sent'
        note(tx, caller, params, { event: delivery.event, outcome, error: lacking?.message ?? null })
        return messageId === undefined ? {} : { messageId }
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
  readonly messageId?: number
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
  let messageId: number | undefined
  for (const [at, message] of messages.entries()) {
    const content = allowsMentions ? message.text : silenced(message.text)
    const sender = asDelivery(caller, params, delivery, at)
    try {
      const sent = sendForCaller(tx, sender, { ...destinationOf(tx, caller, params, message.topic), content })
      messageId ??= sent.id
    } catch (error) {
      // Services turn a hook off after some errors: the owner can put it right.
      if (!(error instanceof ChannelDoesNotExistError) || params.to_default_channel) throw error
      warnOfMissingChannel(tx, caller.user, error, caller.source.origin)
      return { lacking: error }
    }
  }
  return { messageId }
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
