import { defineIntegration } from './integration.ts'
import { jsonText } from './json.ts'
import { signedInHex, standardOr } from './signatures.ts'
import { fillIn, fillInPlain } from './template-language.ts'

/** Any JSON, formatted by a template of the bot's owner. Source: docs/interface/webhooks.md#templates. */
export const template = defineIntegration({
  name: 'template',
  displayName: 'Template',
  events: null,
  usesTemplate: true,
  deliveryId: ({ header }) => header('webhook-id'),
  ...standardOr(signedInHex('X-Hub-Signature-256', 'sha256=')),
  read({ body, template: { topic, text } }) {
    const filled = text.length === 0 ? jsonText(body) : fillIn(text, body).trim()
    return {
      event: null,
      topic: fillInPlain(topic, body),
      text: filled || 'The template shows nothing of this post.',
    }
  },
})
