import type { Command } from '../../../core/command.ts'
import type { Caller } from '../../caller.ts'
import { normaliseContent } from './message-text.ts'
import { renderText } from './render-text.ts'

/**
 * Shows what a text would look like as a message. Its mentions notify nobody. Source:
 * docs/interface/messages.md#render-a-text.
 */
export const renderMessage: Command<Caller, { readonly content: string }, void, { rendered: string }> = {
  apply(tx, caller, { content }) {
    if (content.trim() === '') return { rendered: '' }
    const text = normaliseContent(content)
    return { rendered: renderText(tx, caller, text, caller.source.origin, { pictures: 'of author' }).html }
  },
}
