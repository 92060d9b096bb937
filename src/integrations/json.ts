import { defineIntegration } from './integration.ts'
import { blocks, codeBlock } from './markdown.ts'
import type { Payload } from './payload.ts'

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
export function jsonText(payload: Payload): string {
  const { text, isCut } = payload.json(SHOWN)
  return blocks(codeBlock(text, 'json'), isCut ? '[and more]' : '')
}
