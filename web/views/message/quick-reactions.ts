import { type EmojiChoice, hasReacted, toggleReaction } from '../../actions/reactions.ts'
import { state } from '../../chat.ts'
import { readStored, store } from '../../ui/stored.ts'
import { attempt } from '../announcement.tsx'

const KEY = 'reactions'
const KEPT = 30
const SHOWN = 3

export const THUMB: EmojiChoice = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' }

/** Shown until others have been used. */
const USUAL: readonly EmojiChoice[] = [
  THUMB,
  { emoji_name: 'heart', emoji_code: '2764', reaction_type: 'unicode_emoji' },
  { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' },
]

interface Used {
  readonly emoji: EmojiChoice
  readonly count: number
}

/** Codes that were kept may have variation selectors, which they had before. */
function used(): Used[] {
  return (readStored<Used[]>(KEY) ?? []).map(({ emoji, count }) => ({
    emoji: { ...emoji, emoji_code: emoji.emoji_code.replaceAll('-fe0f', '') },
    count,
  }))
}

/** Returns the reactions that this browser's user has chosen most often. */
export function quickReactions(): EmojiChoice[] {
  const known = used()
    .map(({ emoji }) => emoji)
    .filter(({ emoji_code, reaction_type }) => {
      if (reaction_type !== 'realm_emoji') return true
      return state.emoji[emoji_code] !== undefined && !state.emoji[emoji_code].deactivated
    })
  const others = USUAL.filter(({ emoji_code }) => known.every((one) => one.emoji_code !== emoji_code))
  return [...known, ...others].slice(0, SHOWN)
}

/** Adds the user's reaction, or takes it off. */
export function react(id: number, emoji: EmojiChoice): void {
  const message = state.messages.get(id)
  if (message && !hasReacted(message, emoji)) note(emoji)
  void attempt(toggleReaction(id, emoji))
}

function note({ emoji_name, emoji_code, reaction_type }: EmojiChoice): void {
  const all = used()
  const isIt = ({ emoji }: Used) => emoji.emoji_code === emoji_code && emoji.reaction_type === reaction_type
  const count = (all.find(isIt)?.count ?? 0) + 1
  const others = all.filter((one) => !isIt(one))
  const next = [{ emoji: { emoji_name, emoji_code, reaction_type }, count }, ...others]
  store(KEY, next.sort((a, b) => b.count - a.count).slice(0, KEPT))
}
