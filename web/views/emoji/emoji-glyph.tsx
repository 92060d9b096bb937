import type { EmojiChoice } from '../../actions/reactions.ts'
import { state } from '../../chat.ts'

/** Returns `1f469-200d-1f4bb` as the character, which the system's own font draws. */
export function emojiFromCode(code: string): string {
  return String.fromCodePoint(...code.split('-').map((part) => Number.parseInt(part, 16)))
}

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
