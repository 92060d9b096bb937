import { state, watch } from '../../chat.ts'
import { withoutMuted } from '../../state/muted-people.ts'
import type { Message, Reaction } from '../../state/wire.ts'
import { t } from '../../texts/texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { useLongPress } from '../../ui/long-press.ts'
import { tip } from '../../ui/tooltip.ts'
import { EmojiGlyph } from '../emoji/emoji-glyph.tsx'
import { settings } from '../preferences.ts'
import { listedBriefly, userName } from '../words.ts'
import { react } from './quick-reactions.ts'
import { openDialog, openEmojiPicker } from './surface.ts'

/** Number of people up to which a reaction shows names instead of a number. */
const NAMED = 3
/** Number of people whom a tooltip names. */
const NAMED_IN_TIP = 12

export function Reactions({ message }: { readonly message: Message }) {
  watch(`message ${message.id}`)
  const shown = withoutMuted(state, message.reactions)
  const kinds = kindsOf(shown)
  const showsNames = settings().display_emoji_reaction_users && shown.length <= NAMED
  if (shown.length === 0) return null
  return (
    <div class="reactions">
      {kinds.map((reactions) => (
        <Chip
          key={keyOf(reactions[0]!)}
          messageId={message.id}
          reactions={reactions}
          showsNames={showsNames}
        />
      ))}
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

interface ChipProps {
  readonly messageId: number
  readonly reactions: readonly Reaction[]
  readonly showsNames: boolean
}

/** One emoji and who has reacted with it. A finger that rests on it asks who. */
function Chip({ messageId, reactions, showsNames }: ChipProps) {
  const [first] = reactions
  const press = useLongPress(() => openDialog('reactions', messageId))
  const names = reactions.map(({ user_id }) => (user_id === state.me ? t.youCapital : userName(user_id)))
  const who = t.message.reacted({ names: listedBriefly(names, NAMED_IN_TIP), emoji: first!.emoji_name })
  return (
    <button
      type="button"
      class="reaction"
      aria-pressed={reactions.some(({ user_id }) => user_id === state.me)}
      {...tip(who)}
      {...press}
      onClick={() => react(messageId, first!)}
    >
      <EmojiGlyph emoji={first!} />
      <span class="hidden-text">{who}</span>
      <span aria-hidden="true">
        {showsNames ? names.map((name) => name.split(' ')[0]).join(', ') : reactions.length}
      </span>
    </button>
  )
}

function keyOf({ reaction_type, emoji_code }: Reaction): string {
  return `${reaction_type} ${emoji_code}`
}

/** Returns the reactions by their emoji, in the order in which these came. */
export function kindsOf(reactions: readonly Reaction[]): Reaction[][] {
  const kinds = new Map<string, Reaction[]>()
  for (const reaction of reactions) {
    const kind = kinds.get(keyOf(reaction)) ?? []
    kind.push(reaction)
    kinds.set(keyOf(reaction), kind)
  }
  return [...kinds.values()]
}
