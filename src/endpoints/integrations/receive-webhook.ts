import * as v from 'valibot'
import type { ArrivedBody } from '../../core/arrived-body.ts'
import { NotFoundError } from '../../core/errors.ts'
import {
  type ReceivedWebhook,
  type ReceiveWebhookParams,
  receiveWebhook,
} from '../../domain/integrations/receive-webhook.ts'
import { findIntegration } from '../../integrations/index.ts'
import { OPTIONS } from '../../integrations/options.ts'
import { readDelivery } from '../../integrations/read-delivery.ts'
import { hmac } from '../../integrations/signatures.ts'
import { templateOf } from '../../integrations/template-language.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { MAX_HANDMADE_LIST_LENGTH, NAME_LENGTH, VALUE_LENGTH } from '../input-limits.ts'
import { sentTopic } from '../messages/message-parameters.ts'
import { json, jsonBoolean, listUpTo, textUpTo } from '../parameter-types.ts'
import { readLargeBody } from './read-large-body.ts'

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
    wait: v.optional(
      v.pipe(jsonBoolean, v.description('Whether the answer has the id of the message. Parley only.')),
    ),
    only_events: eventFilter('Names of events of which messages are made, with wildcards.'),
    exclude_events: eventFilter('Names of events of which none are made, with wildcards.'),
    ...(options as Record<never, never>),
  },
  returns: v.object({
    ok: v.optional(v.pipe(v.literal(true), v.description('For programs that write to Slack.'))),
    message_id: v.optional(v.pipe(v.number(), v.description('With `wait`, if there is a message.'))),
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
  async finish({ settings, messageId }: ReceivedWebhook, params: ReceiveWebhookParams, worker) {
    if (!settings) return answerTo(params, messageId)
    const { secrets } = settings
    const { body, largeBody, run } = worker
    const integration = findIntegration(params.integration)!
    let delivery = params.delivery
    if (largeBody) {
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
    return answerTo(params, received.messageId)
  },
})

function answerTo(
  { integration, wait }: ReceiveWebhookParams,
  messageId: number | undefined,
): { readonly ok?: true; readonly message_id?: number } {
  return {
    ...(integration === SLACK ? { ok: true } : {}),
    ...(wait && messageId !== undefined ? { message_id: messageId } : {}),
  }
}

/** Whether a post is signed with a secret that the bot's owner has entered; true where there is none. */
function isSigned<Signed>(
  verify: ((signed: Signed & { readonly now: number }, secret: string) => boolean) | undefined,
  signed: Signed,
  secrets: readonly string[],
): boolean {
  if (secrets.length === 0) return true
  const now = Date.now() / 1_000
  return verify !== undefined && secrets.some((secret) => verify({ ...signed, now }, secret))
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
