import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH, VALUE_LENGTH, WEB_ADDRESS_LENGTH, WORD_LENGTH } from '../../api/input-limits.ts'
import { described, json, jsonBoolean, listUpTo, textListUpTo, textUpTo } from '../../api/parameter-types.ts'
import { sentTopic } from '../../api/shared-parameters.ts'
import type { WorkerContext } from '../../api/worker-context.ts'
import { type ArrivedBody, FormField, type LargeBody } from '../../core/arrived-body.ts'
import { LARGE_BODY } from '../../core/budgets.ts'
import { MissingEventHeaderError, NotFoundError, UnsupportedEventError } from '../../core/errors.ts'
import { ShortJson } from '../../core/json.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { DAY } from '../../core/time.ts'
import { findIntegration } from '../../integrations/index.ts'
import { OPTIONS, type Option } from '../../integrations/integration.ts'
import { PAYLOAD_FIELD, readDelivery } from '../../integrations/read-delivery.ts'
import { MAX_PATTERNS } from '../../integrations/wildcards.ts'
import { escapeName } from '../../markdown/mention-text.ts'
import type { Caller } from '../../model/caller.ts'
import { normaliseContent } from '../../model/messages/text/compose.ts'
import { sendNotice } from '../../model/sending/send-notice.ts'
import { warnOfMissingChannel } from '../../model/sending/warn-bot-owner.ts'
import {
  changeIncomingWebhook,
  incomingWebhook,
  type WebhookFailure,
} from '../../store/integrations/incoming-webhook-rows.ts'
import { findMessage } from '../../store/messages/message-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'
import { checkedDelivery, isSigned, openedSecrets } from './in-worker/posts.ts'
import {
  deliveryOf,
  noteRefusal,
  type ReadingSettings,
  type ReceivedPost,
  receiveDelivery,
} from './receive-delivery.ts'

interface ReceiveWebhookParams extends ReceivedPost {
  /** Whether the answer has the message. */
  readonly wait?: boolean
}

/** Either all is done, or the Worker must call again. */
interface ReceivedWebhook {
  readonly settings?: ReadingSettings
  /** The first message that was sent, now or earlier, for `wait`. */
  readonly message?: SentWebhookMessage
}

/** Seconds between two notices of a kind, since a service keeps posting the same. */
const SECONDS_BETWEEN = DAY

/** Notifies a bot's owner of a failure, at most once a day for each kind. `origin`: `https://chat.example.com`. */
function notifyOwner(
  tx: RealmTransaction,
  bot: User,
  failure: WebhookFailure,
  what: string,
  origin: string,
): void {
  const owner = bot.botOwnerId === null ? undefined : findUser(tx.sql, bot.botOwnerId)
  if (!owner?.isActive) return
  const { notifiedAt } = incomingWebhook(tx.sql, bot.id)
  const last = notifiedAt[failure]
  if (last !== undefined && tx.now - last < SECONDS_BETWEEN) return
  changeIncomingWebhook(tx.sql, bot.id, { notifiedAt: { ...notifiedAt, [failure]: Math.floor(tx.now) } })
  const content = `Your bot ${escapeName(bot.fullName)} (\`${bot.deliveryEmail}\`) ${what}`
  sendNotice(tx, { to: { user: owner }, content, origin })
}

/** The integration for programs that post to Slack, which expect `ok`. */
const SLACK = 'slack_incoming'

/** MiB of a post. */
const MAX_POST = 5

/** Patterns in the address, separated by commas. */
const patterns = textListUpTo(MAX_PATTERNS, WEB_ADDRESS_LENGTH)

/** The options of all integrations, as parameters. They are read together with the body. */
const options: Readonly<Record<string, v.GenericSchema<string | undefined, string | undefined>>> =
  Object.fromEntries(
    Object.entries<Option>(OPTIONS).map(([name, { label, arePatterns }]) => [
      name,
      v.optional(
        described(
          arePatterns ? patterns : textUpTo(VALUE_LENGTH),
          `${label}. Only some integrations have it.`,
        ),
      ),
    ]),
  )
/** Characters of the JSON of a list of patterns, each of which may be escaped. */
const PATTERNS_LENGTH = MAX_PATTERNS * 6 * WORD_LENGTH
const eventFilter = (description: string) =>
  v.optional(described(json(listUpTo(MAX_PATTERNS, textUpTo(WORD_LENGTH)), PATTERNS_LENGTH), description))

/** Query parameters that filter a service's posts. */
export const FILTER_PARAMETERS = {
  only_events: eventFilter('Names of events of which messages are made, with wildcards.'),
  exclude_events: eventFilter('Names of events of which none are made, with wildcards.'),
  ...(options as Record<never, never>),
}
/** Query parameters for the destination of a service's messages. */
export const DESTINATION_PARAMETERS = {
  stream: v.optional(
    described(textUpTo(NAME_LENGTH), 'Name or id of the channel. By default the bot writes to its owner.'),
  ),
  topic: v.optional(described(sentTopic, 'By default the topic is that of the integration.')),
  to_default_channel: v.optional(
    described(
      jsonBoolean,
      'Whether a message for no channel goes to the default channel of the bot, if it has one.',
    ),
  ),
}

/**
 * Receives a post from another service, and sends its content as a message of the bot.
 * Source: docs/interface/webhooks.md#incoming-webhooks.
 */
export const receiveWebhookEndpoint = defineEndpoint({
  operation: 'receive-webhook',
  route: 'POST /external/:integration',
  access: 'bot',
  growsObject: true,
  takesWebhookBots: true,
  keyInParameter: true,
  params: {
    integration: textUpTo(NAME_LENGTH),
    api_key: described(textUpTo(NAME_LENGTH), 'The key of the bot.'),
    ...DESTINATION_PARAMETERS,
    wait: v.optional(described(jsonBoolean, 'Whether the answer has the message. Parley only.')),
    ...FILTER_PARAMETERS,
  },
  returns: v.object({
    ok: v.optional(described(v.literal(true), 'For programs that write to Slack.')),
    message_id: v.optional(described(v.number(), 'With `wait`, if there is a message.')),
    channel_id: v.optional(described(v.nullable(v.number()), 'With `wait`. Null for a direct message.')),
    sender_full_name: v.optional(described(v.string(), 'With `wait`: the name of the bot.')),
    content: v.optional(described(v.string(), 'With `wait`: the text, in Markdown.')),
    timestamp: v.optional(described(v.number(), 'With `wait`. UNIX seconds.')),
  }),
  command: {
    apply(tx, caller, params: ReceiveWebhookParams): ReceivedWebhook {
      const received = receiveDelivery(tx, caller, params)
      if (received.kind === 'wanted') return { settings: received.settings }
      const { message } = received
      return params.wait && message ? { message: presentSent(tx, caller, message.id, message.text) } : {}
    },
    afterRefusal(tx, { user, source }, params, refusal) {
      const { delivery, integration } = deliveryOf(params)
      const { displayName } = integration
      noteRefusal(tx, { user }, params, refusal)
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
  },
  audit: 'speech',
  // A repetition finds the message itself by the delivery's id.
  idempotency: 'own',
  readsBody: {
    maxMib: MAX_POST,
    read: readBody,
    answersHead: ({ integration }) => findIntegration(integration!)?.answersHead === true,
    repeatedHeader: ({ integration }) => findIntegration(integration!)?.handshake,
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
    let { delivery } = params
    if (!secrets) delivery = { kind: 'secret lost' }
    else if (largeBody) {
      const { arrived, hmac } = await readLargeBody(largeBody, secrets, worker)
      const isRight = isSigned(integration.large?.verify, { ...largeBody, hmac }, secrets)
      delivery = isRight ? readDelivery(integration, arrived, params) : { kind: 'unsigned' }
    } else if (body) delivery = checkedDelivery(integration, body, params, { ...settings, secrets })
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

interface ReadLargeBody {
  /** Its JSON, shortened. */
  readonly arrived: ArrivedBody
  /** Returns the HMAC-SHA256 of the whole body with one of the secrets, in hexadecimal. */
  hmac(secret: string): string
}

/**
 * Reads a large JSON body, or a form with JSON, as it arrives, in constant memory.
 * @throws as `LargeBody.bytes`; ServiceUnavailableError (503)
 */
async function readLargeBody(
  { bytes, ...facts }: LargeBody,
  secrets: readonly string[],
  { arrivingMemory }: Pick<WorkerContext, 'arrivingMemory'>,
): Promise<ReadLargeBody> {
  const macs = new Map(secrets.map((secret) => [secret, createHmac('sha256', secret)]))
  const field = facts.isForm ? new FormField(PAYLOAD_FIELD) : undefined
  const memory = arrivingMemory()
  try {
    await memory.hold(LARGE_BODY)
    const json = new ShortJson()
    for await (const chunk of bytes) {
      memory.renew()
      for (const mac of macs.values()) mac.update(chunk)
      json.add(field ? field.add(chunk) : chunk)
    }
    const digests = new Map([...macs].map(([secret, mac]) => [secret, mac.digest('hex')]))
    const body = json.end() ?? new Uint8Array(0)
    return { arrived: { ...facts, body, isForm: false }, hmac: (secret) => digests.get(secret) ?? '' }
  } finally {
    memory.release()
  }
}

/** The message of a post, for programs that wait for it. */
export interface SentWebhookMessage {
  readonly message_id: number
  /** Null for a direct message. */
  readonly channel_id: number | null
  readonly sender_full_name: string
  /** Markdown, as it was sent. */
  readonly content: string
  /** UNIX seconds. */
  readonly timestamp: number
}

function presentSent(
  { sql }: Pick<RealmReads, 'sql'>,
  { user }: Pick<Caller, 'user'>,
  messageId: number,
  text: string,
): SentWebhookMessage {
  const { recipientId, sentAt } = findMessage(sql, messageId)!
  const { kind, id } = recipientOf(recipientId)
  return {
    message_id: messageId,
    channel_id: kind === 'channel' ? id : null,
    sender_full_name: user.fullName,
    content: normaliseContent(text),
    timestamp: sentAt,
  }
}
