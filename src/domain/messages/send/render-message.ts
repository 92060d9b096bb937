import type { Command } from '../../../core/command.ts'
import type { Caller } from '../../caller.ts'
import { uploadedImageLookup } from '../../uploads/uploaded-image-lookup.ts'
import { markdownLookups } from './markdown-lookups.ts'
import { normaliseContent } from './message-text.ts'
import { renderAhead } from './render-ahead.ts'

/**
 * Shows what a text would look like as a message. Its mentions notify nobody. Source:
 * docs/interface/messages.md#render-a-text.
 */
export const renderMessage: Command<Caller, { readonly content: string }, void, { rendered: string }> = {
  apply(tx, caller, { content }) {
    if (content.trim() === '') return { rendered: '' }
    const lookups = {
      ...markdownLookups(tx, caller, caller.source.origin),
      uploadedImage: uploadedImageLookup(tx, caller),
    }
    return { rendered: renderAhead(tx, normaliseContent(content), lookups).html }
  },
}
