import { defineIntegration } from './integration.ts'
import { jsonText } from './json.ts'
import { isStandardSignature, signedInHex } from './signatures.ts'
import { fillIn, fillInPlain } from './template-language.ts'

const signedLikeGitHub = signedInHex('X-Hub-Signature-256', 'sha256=')

/** Any JSON, in the words of a template that the bot's owner has made. Source: docs/interface/webhooks.md#templates. */
export const template = defineIntegration({
  name: 'template',
  displayName: 'Template',
  events: null,
  usesTemplate: true,
  deliveryId: ({ header }) => header('webhook-id'),
  verify: (delivery, secret) =>
    delivery.header('webhook-signature') === ''
      ? signedLikeGitHub.verify(delivery, secret)
      : isStandardSignature(delivery, secret),
  sign: signedLikeGitHub.sign,
  read({ body, template: { topic, text } }) {
    const filled = text.length === 0 ? jsonText(body) : fillIn(text, body).trim()
    return {
      event: null,
      topic: fillInPlain(topic, body),
      text: filled || 'The template shows nothing of this post.',
    }
  },
})
