import * as v from 'valibot'
import {
  getIncomingWebhook,
  updateIncomingWebhook,
} from '../../domain/integrations/incoming-webhook-settings.ts'
import { previewWebhookTemplate } from '../../domain/integrations/preview-webhook-template.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonBoolean, pathInteger, textUpTo } from '../parameter-types.ts'

const SECRET_LENGTH = 500
const TOPIC_TEMPLATE_LENGTH = 300
const TEXT_TEMPLATE_LENGTH = 5_000
/** Characters of a sample: a post may be larger, but nobody looks at so much. */
const SAMPLE_LENGTH = 100_000

const topicTemplate = v.pipe(
  textUpTo(TOPIC_TEMPLATE_LENGTH),
  v.description('Template of the topic, for the integration `template`.'),
)
const textTemplate = v.pipe(
  textUpTo(TEXT_TEMPLATE_LENGTH),
  v.description('Template of the text; empty for the whole post as JSON.'),
)

const settings = v.object({
  secrets: v.pipe(v.number(), v.description('Number of secrets; 0 if posts need no signature.')),
  allows_mentions: v.boolean(),
  topic_template: v.string(),
  text_template: v.string(),
  deliveries: v.pipe(
    v.array(
      v.object({
        timestamp: v.number(),
        integration: v.string(),
        event: v.string(),
        outcome: v.picklist(['sent', 'nothing', 'refused']),
        error: v.nullable(v.string()),
      }),
    ),
    v.description('The last twenty posts of services, the newest first.'),
  ),
})

/** Gets what a bot's owner has made for posts of services. Source: docs/interface/webhooks.md#settings-of-a-bot. */
export const getIncomingWebhookEndpoint = defineEndpoint({
  operation: 'get-incoming-webhook',
  method: 'GET',
  path: '/bots/:bot_id/incoming_webhook',
  access: 'human-member',
  params: { bot_id: pathInteger },
  returns: settings,
  command: getIncomingWebhook,
})

/** Changes it. Parley's own. */
export const updateIncomingWebhookEndpoint = defineEndpoint({
  operation: 'update-incoming-webhook',
  method: 'PATCH',
  path: '/bots/:bot_id/incoming_webhook',
  access: 'human-member',
  params: {
    bot_id: pathInteger,
    secret: v.optional(
      v.pipe(
        textUpTo(SECRET_LENGTH),
        v.description(
          'With which the service signs its posts; empty for none. From then on posts without a signature are refused.',
        ),
      ),
    ),
    keep_previous_secret: v.optional(
      v.pipe(jsonBoolean, v.description('Whether the secret before this one is valid beside it.')),
      'false',
    ),
    allows_mentions: v.optional(
      v.pipe(jsonBoolean, v.description('Whether mentions in posts notify people.')),
    ),
    topic_template: v.optional(topicTemplate),
    text_template: v.optional(textTemplate),
  },
  returns: settings,
  command: updateIncomingWebhook,
  audit: ({ params: { bot_id, secret } }) =>
    secret === undefined ? [] : { action: 'key_renewed', details: { user_id: bot_id, webhook: true } },
})

/** Shows what a template makes of a post. Source: docs/interface/webhooks.md#templates. */
export const previewWebhookTemplateEndpoint = defineEndpoint({
  operation: 'preview-webhook-template',
  method: 'POST',
  path: '/bots/preview_webhook_template',
  access: 'human-member',
  params: {
    topic_template: v.optional(topicTemplate, ''),
    text_template: v.optional(textTemplate, ''),
    payload: v.pipe(textUpTo(SAMPLE_LENGTH), v.description('A post as the service would make it: JSON.')),
  },
  returns: v.object({ topic: v.string(), content: v.string(), rendered_content: v.string() }),
  command: previewWebhookTemplate,
  audit: 'read-only',
})
