import { call } from './call.ts'

/** Changes the user's bots. Changes show when their events arrive. */

/**
 * Creates a bot: 1 generic, 2 incoming webhook, 3 outgoing webhook, which posts to `url`. Returns its id and key, and for an outgoing webhook
 * the secret that signs its calls, otherwise ''.
 */
export async function createBot(bot: {
  name: string
  shortName: string
  type: number
  url: string
}): Promise<{ readonly id: number; readonly key: string; readonly secret: string }> {
  const {
    user_id,
    api_key,
    webhook_secret = '',
  } = await call('POST', '/bots', {
    full_name: bot.name,
    short_name: bot.shortName,
    bot_type: bot.type,
    payload_url: bot.type === 3 ? bot.url : undefined,
  })
  return { id: user_id as number, key: api_key as string, secret: webhook_secret as string }
}

export async function loadBotKey(botId: number): Promise<string> {
  return (await call('GET', `/bots/${botId}/api_key`)).api_key as string
}

/** The outcome of a post. */
export type PostResult = Pick<IncomingDelivery, 'outcome' | 'error'>

/**
 * Makes the server post as a service does, signed with the bot's secret. `params`: those of the address; `payload`: JSON in place of the
 * service's sample.
 */
export async function sendTestPost(
  botId: number,
  integration: string,
  params: Readonly<Record<string, string>>,
  payload?: string,
): Promise<PostResult> {
  const { outcome, error } = await call('POST', `/bots/${botId}/incoming_webhook/test`, {
    integration,
    ...params,
    payload,
  })
  return { outcome, error } as PostResult
}

export async function renewBotKey(botId: number): Promise<string> {
  return (await call('POST', `/bots/${botId}/api_key/regenerate`)).api_key as string
}

/** Changes a bot's `full_name` or `service_payload_url`. */
export async function changeBot(botId: number, changes: object): Promise<void> {
  await call('PATCH', `/bots/${botId}`, changes)
}

export async function deactivateBot(botId: number): Promise<void> {
  await call('DELETE', `/bots/${botId}`)
}

/** Creates a new secret for an outgoing webhook; for a day, calls are also signed with the former one. */
export async function renewWebhookSecret(botId: number): Promise<string> {
  return (await call('POST', `/bots/${botId}/webhook_secret`)).webhook_secret as string
}

/** One try to call an outgoing webhook. */
export interface Delivery {
  readonly id: number
  readonly trigger: string
  /** UNIX seconds. */
  readonly timestamp: number
  readonly attempt: number
  /** Null without an answer. */
  readonly status: number | null
  readonly ms: number
  readonly answer: string
  readonly error: string | null
}

export async function loadDeliveries(botId: number): Promise<readonly Delivery[]> {
  return (await call('GET', `/bots/${botId}/deliveries`)).deliveries as Delivery[]
}

export async function resendDelivery(botId: number, id: number): Promise<void> {
  await call('POST', `/bots/${botId}/deliveries/${id}/resend`)
}

/** Events for which an outgoing webhook may be called, besides messages to its bot. */
export const WEBHOOK_EVENTS = ['message', 'reaction', 'subscription', 'new_person'] as const

export interface EventSubscription {
  readonly event: string
  /** Null: all channels that the bot may read. */
  readonly channel_ids: readonly number[] | null
}

export async function loadEventSubscriptions(botId: number): Promise<readonly EventSubscription[]> {
  return (await call('GET', `/bots/${botId}/event_subscriptions`)).event_subscriptions as EventSubscription[]
}

export async function saveEventSubscriptions(
  botId: number,
  event_subscriptions: readonly EventSubscription[],
): Promise<void> {
  await call('PUT', `/bots/${botId}/event_subscriptions`, { event_subscriptions })
}

/** The owner's settings for posts of services. */
export interface IncomingWebhook {
  /** Number of secrets; 0 if posts need no signature. */
  readonly secrets: number
  readonly allows_mentions: boolean
  readonly topic_template: string
  readonly text_template: string
  /** The last posts of services, the newest first. */
  readonly deliveries: readonly IncomingDelivery[]
}

export interface IncomingDelivery {
  /** UNIX seconds. */
  readonly timestamp: number
  /** Name of the integration. */
  readonly integration: string
  /** '' if the post does not name one. */
  readonly event: string
  readonly outcome: 'sent' | 'nothing' | 'refused'
  /** The reason of a refusal. */
  readonly error: string | null
}

export async function loadIncomingWebhook(botId: number): Promise<IncomingWebhook> {
  return call<IncomingWebhook>('GET', `/bots/${botId}/incoming_webhook`)
}

/** Changes an incoming webhook, and returns its new settings. A `secret` of '' removes all. */
export async function changeIncomingWebhook(
  botId: number,
  changes: Partial<Omit<IncomingWebhook, 'secrets' | 'deliveries'>> & {
    readonly secret?: string
    readonly keep_previous_secret?: boolean
  },
): Promise<IncomingWebhook> {
  return call<IncomingWebhook>('PATCH', `/bots/${botId}/incoming_webhook`, changes)
}

/** The message that a template makes of a post. */
export interface TemplatePreview {
  /** '' for the integration's own. */
  readonly topic: string
  readonly html: string
}

/** Returns the message that a template would make of a post, which is JSON. Nothing is sent. */
export async function previewTemplate(
  topicTemplate: string,
  textTemplate: string,
  payload: string,
): Promise<TemplatePreview> {
  const { topic, rendered_content } = await call('POST', '/bots/preview_webhook_template', {
    topic_template: topicTemplate,
    text_template: textTemplate,
    payload,
  })
  return { topic: topic as string, html: rendered_content as string }
}
