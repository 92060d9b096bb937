import { Buffer } from 'node:buffer'
import { defineIntegration } from './integration.ts'
import { jsonText } from './json.ts'
import { hmac, isRecent, isSameText, signedInHex } from './signatures.ts'
import { fillIn, fillInPlain } from './template-language.ts'

const verifyHub = signedInHex('X-Hub-Signature-256', 'sha256=')

/** Any JSON, in the words of a template that the bot's owner has made. Source: docs/interface/webhooks.md#templates. */
export const template = defineIntegration({
  name: 'template',
  displayName: 'Template',
  events: null,
  usesTemplate: true,
  deliveryId: ({ header }) => header('webhook-id'),
  verify(delivery, secret) {
    const { body, header, now } = delivery
    const signatures = header('webhook-signature')
    if (signatures === '') return verifyHub(delivery, secret)
    const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')]
    if (!isRecent(timestamp, now)) return false
    const expected = `v1,${hmac(keyOf(secret), [`${id}.${timestamp}.`, body], 'base64')}`
    return signatures.split(' ').some((signature) => isSameText(signature, expected))
  },
  read({ body, template: { topic, text } }) {
    const filled = text.length === 0 ? jsonText(body) : fillIn(text, body).trim()
    return {
      event: null,
      topic: fillInPlain(topic, body),
      text: filled || 'The template shows nothing of this post.',
    }
  },
})

const PREFIX = 'whsec_'

/** Returns the bytes of a secret in the form of Standard Webhooks; any other secret is its own bytes. */
function keyOf(secret: string): string | Uint8Array {
  return secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : secret
}
