import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { messageContent } from '../../api/shared-parameters.ts'
import { normaliseContent } from '../../model/messages/text/compose.ts'
import { renderText } from '../../model/messages/text/render-text.ts'

/**
 * Renders a text as a message would be, without sending it. Its mentions notify nobody. Source: docs/interface/messages.md#render-a-text.
 */
export const renderMessageEndpoint = defineEndpoint({
  operation: 'render-message',
  route: 'POST /messages/render',
  access: 'user',
  params: { content: messageContent },
  returns: v.object({ rendered: v.string() }),
  apply(tx, caller, { content }) {
    if (content.trim() === '') return { rendered: '' }
    const text = normaliseContent(content)
    return { rendered: renderText(tx, caller, text, caller.source.origin, { pictures: 'of author' }).html }
  },
  audit: 'read-only',
})
