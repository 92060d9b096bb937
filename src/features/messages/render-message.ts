import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { messageContent } from '../../api/shared-parameters.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { normaliseContent } from '../../model/messages/send/compose.ts'
import { renderText } from '../../model/messages/send/render-text.ts'

/** Renders Markdown without sending it. Source: docs/interface/messages.md#render-a-text. */
export const renderMessageEndpoint = defineEndpoint({
  operation: 'render-message',
  method: 'POST',
  path: '/messages/render',
  access: 'user',
  params: { content: messageContent },
  returns: v.object({ rendered: v.string() }),
  command: { apply: renderMessage },
  audit: 'read-only',
})

/**
 * Shows what a text would look like as a message. Its mentions notify nobody. Source:
 * docs/interface/messages.md#render-a-text.
 */
function renderMessage(
  tx: RealmTransaction,
  caller: Caller,
  { content }: { readonly content: string },
): { rendered: string } {
  if (content.trim() === '') return { rendered: '' }
  const text = normaliseContent(content)
  return { rendered: renderText(tx, caller, text, caller.source.origin, { pictures: 'of author' }).html }
}
