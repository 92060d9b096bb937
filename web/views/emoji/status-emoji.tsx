import { state, watch } from '../../chat.ts'
import { isMutedPerson } from '../../state/muted-people.ts'
import { tip } from '../../ui/tooltip.ts'
import { EmojiGlyph } from './emoji-glyph.tsx'

/** The emoji of a user's status, beside their name; its words are in the tooltip. */
export function StatusEmoji({ userId }: { readonly userId: number }) {
  watch(`status ${userId}`, 'emoji')
  const { status_text, emoji_name, emoji_code, reaction_type } = state.statuses.get(userId) ?? {}
  if (!emoji_name || !emoji_code || !reaction_type || isMutedPerson(state, userId)) return null
  const words = status_text || `:${emoji_name}:`
  return (
    <span class="status-emoji" role="img" aria-label={words} {...tip(words)}>
      <EmojiGlyph emoji={{ emoji_name, emoji_code, reaction_type }} />
    </span>
  )
}
