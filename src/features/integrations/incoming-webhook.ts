import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { described, jsonBoolean, pathInteger, textUpTo } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import { findIntegration } from '../../integrations/index.ts'
import { readDelivery } from '../../integrations/read-delivery.ts'
import { parseTemplate, type Template, TemplateError } from '../../integrations/template-language.ts'
import { requireOwnBot } from '../../model/bots/bot-rules.ts'
import { renderText } from '../../model/messages/text/render-text.ts'
import {
  changeIncomingWebhook,
  type IncomingDelivery,
  type IncomingWebhook,
  incomingWebhook,
  listIncomingDeliveries,
} from '../../store/integrations/incoming-webhook-rows.ts'
import { INCOMING_WEBHOOK_SECRET } from './in-worker/posts.ts'

const SECRET_LENGTH = 500

const TOPIC_TEMPLATE_LENGTH = 300

const TEXT_TEMPLATE_LENGTH = 5_000

/** Characters of a sample: a post may be larger, but nobody would read it. */
export const SAMPLE_LENGTH = 100_000

const topicTemplate = described(
  textUpTo(TOPIC_TEMPLATE_LENGTH),
  'Template of the topic, for the integration `template`.',
)

const textTemplate = described(
  textUpTo(TEXT_TEMPLATE_LENGTH),
  'Template of the text; empty for the whole post as JSON.',
)

/** The settings in the API's form. Secrets are never shown. */
const settings = v.object({
  secrets: described(v.number(), 'Number of secrets; 0 if posts need no signature.'),
  allows_mentions: v.boolean(),
  topic_template: v.string(),
  text_template: v.string(),
  deliveries: described(
    v.array(
      v.object({
        timestamp: v.number(),
        integration: v.string(),
        event: v.string(),
        outcome: v.picklist(['sent', 'nothing', 'refused']),
        error: v.nullable(v.string()),
      }),
    ),
    'The last twenty posts of services, the newest first.',
  ),
})
type ShownSettings = v.InferOutput<typeof settings>

/** Gets a bot's settings for posts from services. Source: docs/interface/webhooks.md#settings-of-a-bot. */
export const getIncomingWebhookEndpoint = defineEndpoint({
  operation: 'get-incoming-webhook',
  route: 'GET /bots/:bot_id/incoming_webhook',
  access: 'human-member',
  params: { bot_id: pathInteger },
  returns: settings,
  query({ sql }, caller, { bot_id }): ShownSettings {
    const { id } = requireOwnBot(sql, caller, bot_id)
    return shown(incomingWebhook(sql, id), listIncomingDeliveries(sql, id))
  },
})

/** Changes a bot's settings for posts from services, and answers all of them. Parley's own. */
export const updateIncomingWebhookEndpoint = defineEndpoint({
  operation: 'update-incoming-webhook',
  route: 'PATCH /bots/:bot_id/incoming_webhook',
  access: 'human-member',
  params: {
    bot_id: pathInteger,
    secret: v.optional(
      described(
        textUpTo(SECRET_LENGTH),
        'With which the service signs its posts; empty for none. From then on posts without a signature are refused.',
      ),
    ),
    keep_previous_secret: v.optional(
      described(jsonBoolean, 'Whether the secret before this one is valid as well.'),
      'false',
    ),
    allows_mentions: v.optional(described(jsonBoolean, 'Whether mentions in posts notify people.')),
    topic_template: v.optional(topicTemplate),
    text_template: v.optional(textTemplate),
  },
  returns: settings,
  apply(tx, caller, { bot_id, secret, keep_previous_secret, ...params }): ShownSettings {
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
    return shown(after, listIncomingDeliveries(tx.sql, id))
  },
  hasWork: ({ secret = '' }) => secret !== '',
  async prepare(params, { secrets }) {
    return { ...params, secret: await secrets.sealAlike(INCOMING_WEBHOOK_SECRET, params.secret!) }
  },
  audit: ({ params: { bot_id, secret } }) =>
    secret === undefined ? [] : { action: 'key_renewed', details: { user_id: bot_id, webhook: true } },
})

/** Returns the message that a template would make of a payload. Nothing is sent. Source: docs/interface/webhooks.md#templates. */
export const previewWebhookTemplateEndpoint = defineEndpoint({
  operation: 'preview-webhook-template',
  route: 'POST /bots/preview_webhook_template',
  access: 'human-member',
  params: {
    topic_template: v.optional(topicTemplate, ''),
    text_template: v.optional(textTemplate, ''),
    payload: described(textUpTo(SAMPLE_LENGTH), 'A post as the service would make it: JSON.'),
  },
  returns: v.object({ topic: v.string(), content: v.string(), rendered_content: v.string() }),
  query(tx, caller, { topic_template, text_template, payload }) {
    const template = { topic: requireTemplate(topic_template), text: requireTemplate(text_template) }
    const body = new TextEncoder().encode(payload)
    const arrived = { body, fields: new Map<string, string>(), isForm: false, address: '', header: () => '' }
    const read = readDelivery(findIntegration('template')!, arrived, {}, template)
    const message = read.kind === 'messages' ? read.messages[0] : undefined
    if (!message) throw new BadRequestError('Malformed JSON')
    const { html } = renderText(tx, caller, message.text, caller.source.origin, {})
    return { topic: message.topic, content: message.text, rendered_content: html }
  },
  audit: 'read-only',
})

/** A bot's secrets: the newest, and the one before it while a service is being switched. */
const MAX_SECRETS = 2

function shown(
  { secrets, allowsMentions, topicTemplate, textTemplate }: IncomingWebhook,
  deliveries: readonly IncomingDelivery[],
): ShownSettings {
  return {
    secrets: secrets.length,
    allows_mentions: allowsMentions,
    topic_template: topicTemplate,
    text_template: textTemplate,
    deliveries: deliveries.map(({ at, ...delivery }) => ({ timestamp: at, ...delivery })),
  }
}

/** Parses an owner's template. @throws BadRequestError if it is invalid */
function requireTemplate(template = ''): Template {
  try {
    return parseTemplate(template)
  } catch (error) {
    if (error instanceof TemplateError) throw new BadRequestError(`Invalid template: ${error.message}`)
    throw error
  }
}
