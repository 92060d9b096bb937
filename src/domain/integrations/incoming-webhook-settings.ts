import type { Command, ReadCommand } from '../../core/command.ts'
import { requireOwnBot } from '../bots/bot-rules.ts'
import type { Caller } from '../caller.ts'
import {
  changeIncomingWebhook,
  type IncomingDelivery,
  type IncomingWebhook,
  incomingWebhook,
} from './incoming-webhook-rows.ts'
import { requireTemplate } from './require-template.ts'

/** Secrets of one bot: the newest, and the one before it while a service changes over. */
const MAX_SECRETS = 2

/** The settings in the API's form. Secrets are given to nobody. */
export interface ShownSettings {
  readonly secrets: number
  readonly allows_mentions: boolean
  readonly topic_template: string
  readonly text_template: string
  /** The newest first. */
  readonly deliveries: readonly {
    readonly timestamp: number
    readonly integration: string
    readonly event: string
    readonly outcome: IncomingDelivery['outcome']
    readonly error: string | null
  }[]
}

/** Returns what a bot's owner has made for posts of services. Source: docs/interface/webhooks.md#settings-of-a-bot. */
export const getIncomingWebhook: ReadCommand<Caller, { readonly bot_id: number }, void, ShownSettings> = {
  reads: true,
  apply: ({ sql }, caller, { bot_id }) => shown(incomingWebhook(sql, requireOwnBot(sql, caller, bot_id).id)),
}

export interface UpdateIncomingWebhookParams {
  readonly bot_id: number
  /** '' for none. */
  readonly secret?: string
  readonly keep_previous_secret: boolean
  readonly allows_mentions?: boolean
  readonly topic_template?: string
  readonly text_template?: string
}

/** Changes them, and answers what holds afterwards. Source: docs/interface/webhooks.md#settings-of-a-bot. */
export const updateIncomingWebhook: Command<Caller, UpdateIncomingWebhookParams, void, ShownSettings> = {
  apply(tx, caller, { bot_id, secret, keep_previous_secret, ...params }) {
    const { id } = requireOwnBot(tx.sql, caller, bot_id)
    const before = incomingWebhook(tx.sql, id)
    const previous = keep_previous_secret ? before.secrets.filter((one) => one !== secret) : []
    for (const template of [params.topic_template, params.text_template]) requireTemplate(template)
    const after: IncomingWebhook = {
      ...before,
      secrets:
        secret === undefined
          ? before.secrets
          : secret === ''
            ? []
            : [secret, ...previous].slice(0, MAX_SECRETS),
      allowsMentions: params.allows_mentions ?? before.allowsMentions,
      topicTemplate: params.topic_template ?? before.topicTemplate,
      textTemplate: params.text_template ?? before.textTemplate,
    }
    changeIncomingWebhook(tx.sql, id, after)
    return shown(after)
  },
}

function shown({
  secrets,
  allowsMentions,
  topicTemplate,
  textTemplate,
  deliveries,
}: IncomingWebhook): ShownSettings {
  return {
    secrets: secrets.length,
    allows_mentions: allowsMentions,
    topic_template: topicTemplate,
    text_template: textTemplate,
    deliveries: deliveries.map(({ at, ...delivery }) => ({ timestamp: at, ...delivery })),
  }
}
