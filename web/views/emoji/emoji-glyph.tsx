import type { EmojiChoice } from '../../actions/reactions.ts'
import { state } from '../../chat.ts'
import { emojiFromCode } from '../../state/emoji-character.ts'

/** The emoji's character, or the organization's own picture. */
export function EmojiGlyph({ emoji }: { readonly emoji: EmojiChoice }) {
  if (emoji.reaction_type === 'unicode_emoji') {
    return (
      <span class="reaction-emoji" aria-hidden="true">
        {emojiFromCode(emoji.emoji_code)}
      </span>
    )
  }
  const custom = state.emoji[emoji.emoji_code]
  const url = custom?.source_url ?? ''
  return url === '' ? <span>:{emoji.emoji_name}:</span> : <img src={url} alt="" />
}
