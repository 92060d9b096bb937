import { firstPoints, isLongerThan } from '../core/text-length.ts'
import { defineIntegration } from './integration.ts'
import { blocks, codeBlock } from './markdown.ts'

/** Code points of JSON in a message. */
const SHOWN = 9_000

/** Any JSON, as it is: for services and scripts without an integration of their own. */
export const json = defineIntegration({
  name: 'json',
  displayName: 'JSON',
  events: null,
  read({ body }) {
    const text = JSON.stringify(body.raw, null, 2)
    const isLong = isLongerThan(text, SHOWN)
    const shown = codeBlock(isLong ? firstPoints(text, SHOWN) : text, 'json')
    return { event: null, topic: 'JSON', text: blocks(shown, isLong ? '[and more]' : '') }
  },
})
