import { state, watch } from '../../chat.ts'
import type { Message, Reaction } from '../../state/wire.ts'
import { listed, t } from '../../texts/texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { tip } from '../../ui/tooltip.ts'
import { EmojiGlyph } from '../emoji/emoji-glyph.tsx'
import { settings } from '../preferences.ts'
import { userName } from '../words.ts'
import { react } from './quick-reactions.ts'
import { openEmojiPicker } from './surface.ts'

/** Number of people up to which a reaction shows names instead of a number. */
const NAMED = 3

export function Reactions({ message }: { readonly message: Message }) {
  watch(`message ${message.id}`)
  const kinds = new Map<string, Reaction[]>()
  for (const reaction of message.reactions) {
    const key = `${reaction.reaction_type} ${reaction.emoji_code}`
    kinds.set(key, [...(kinds.get(key) ?? []), reaction])
  }
  const showsNames = settings().display_emoji_reaction_users && message.reactions.length <= NAMED
  return (
    <div class="reactions">
      {[...kinds].map(([key, reactions]) => {
        const [first] = reactions
        const names = reactions.map(({ user_id }) =>
          user_id === state.me ? t.youCapital : userName(user_id),
        )
        return (
          <button
            key={key}
            type="button"
            class="reaction"
            aria-pressed={reactions.some(({ user_id }) => user_id === state.me)}
            {...tip(t.message.reacted(listed(names), first!.emoji_name))}
            onClick={() => react(message.id, first!)}
          >
            <EmojiGlyph emoji={first!} />
            <span class="hidden-text">{t.message.reacted(listed(names), first!.emoji_name)}</span>
            <span aria-hidden="true">
              {showsNames ? names.map((name) => name.split(' ')[0]).join(', ') : reactions.length}
            </span>
          </button>
        )
      })}
      <button
        type="button"
        class="reaction reaction-add"
        aria-label={t.message.react}
        {...tip(t.message.react, ':')}
        onClick={(event) => openEmojiPicker(event.currentTarget, (emoji) => react(message.id, emoji))}
      >
        <Icon name="react" />
      </button>
    </div>
  )
}
