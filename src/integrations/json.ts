import { firstPoints, isLongerThan } from '../core/text-length.ts'
import { defineIntegration } from './integration.ts'
import { blocks, codeBlock } from './markdown.ts'
import type { Payload } from './payload.ts'
import { signedInHex, standardOr } from './signatures.ts'
import { fillIn, fillInPlain } from './template-language.ts'

/** Code points of JSON in a message. */
const SHOWN = 9_000

/** Any JSON, shown unchanged: for services and scripts without an integration of their own. */
export const json = defineIntegration({
  name: 'json',
  displayName: 'JSON',
  events: null,
  read: ({ body }) => ({ event: null, topic: 'JSON', text: jsonText(body) }),
})

/** Returns a payload as a block of code. */
function jsonText({ raw }: Payload): string {
  const text = JSON.stringify(raw, null, 2)
  const isLong = isLongerThan(text, SHOWN)
  return blocks(codeBlock(isLong ? firstPoints(text, SHOWN) : text, 'json'), isLong ? '[and more]' : '')
}

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
