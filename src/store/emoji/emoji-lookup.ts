import { unqualifiedEmojiCode } from '../../core/emoji-code.ts'
import { BadRequestError } from '../../core/errors.ts'
import { type EmojiType, EXTRA_EMOJI } from '../../events/message-additions.ts'
import { emojiCodeByName, emojiNamesByCode } from '../../markdown/emoji-data.ts'

/** An emoji that the organization uploaded. */
export interface CustomEmoji {
  readonly id: number
  readonly name: string
  readonly isDeactivated: boolean
}

export interface CustomEmojiLookup {
  /** Returns the active emoji of this name. */
  named(name: string): CustomEmoji | undefined
  /** Returns an emoji, also a deactivated one. */
  byId(id: number): CustomEmoji | undefined
}

/** An emoji in reactions and statuses (docs/interface/messages.md#the-message-object). */
export interface Emoji {
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: EmojiType
}

/** An emoji as a client sends it: its parts need not belong together. The type is in its stored form if it has several. */
export type SentEmoji = Omit<Emoji, 'reaction_type'> & { readonly reaction_type: string }

/** The one emoji that is neither Unicode nor uploaded; its name is its code. */
export const EXTRA_EMOJI_NAME = 'zulip'

/**
 * Returns the emoji of this name. Custom emoji come first, so that an organization can give a name another picture.
 * @throws BadRequestError for an unknown name.
 */
export function emojiNamed(name: string, custom: CustomEmojiLookup): Emoji {
  const uploaded = custom.named(name)
  if (uploaded) return emoji(name, String(uploaded.id), 'realm_emoji')
  if (name === EXTRA_EMOJI_NAME) return emoji(name, name, EXTRA_EMOJI)
  const code = emojiCodeByName(name)
  if (code === undefined) throw new BadRequestError(`Emoji '${name}' does not exist`)
  return emoji(name, code, 'unicode_emoji')
}

/**
 * Names that Unicode emoji had until other emoji got them, by code: clients with an older list send them together, as do reactions and
 * statuses that are older than the change.
 */
const FORMER_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['1f642', ['smile']],
  ['263a', ['smile']],
])

/**
 * Returns the emoji in its present form: its code without variation selectors, which codes had before, and its present name where it was sent
 * under a former one, since the code says which it is.
 */
export function inPresentForm<Sent extends SentEmoji>(emoji: Sent): Sent {
  if (emoji.reaction_type !== 'unicode_emoji') return emoji
  const emoji_code = unqualifiedEmojiCode(emoji.emoji_code)
  const isFormer = FORMER_NAMES.get(emoji_code)?.includes(emoji.emoji_name)
  const emoji_name = isFormer ? emojiNamesByCode(emoji_code)[0]! : emoji.emoji_name
  return { ...emoji, emoji_code, emoji_name }
}

const SKIN_TONES = /-1f3f[b-f]/g

/** Returns the Unicode emoji of these code points, in hexadecimal with `-`; one in a skin tone as the one without. */
export function emojiWithCode(code: string): Emoji | undefined {
  const given = unqualifiedEmojiCode(code.toLowerCase())
  for (const tried of [given, given.replace(SKIN_TONES, '')]) {
    const [name] = emojiNamesByCode(tried)
    if (name !== undefined) return emoji(name, tried, 'unicode_emoji')
  }
  return undefined
}

/** Returns the codes of Unicode emoji that had this name before. */
export function formerCodesOf(name: string): string[] {
  return [...FORMER_NAMES].flatMap(([code, names]) => (names.includes(name) ? [code] : []))
}

/** Refuses an emoji whose three parts do not belong together. Source: docs/interface/users.md#status, step 3. */
export function requireEmoji(
  { emoji_name, emoji_code, reaction_type }: SentEmoji,
  custom: CustomEmojiLookup,
): Emoji {
  switch (reaction_type) {
    case 'realm_emoji':
      requireCustomEmoji(emoji_name, emoji_code, custom)
      break
    case EXTRA_EMOJI:
      if (emoji_code !== EXTRA_EMOJI_NAME) throw new BadRequestError('Invalid emoji code.')
      if (emoji_name !== emoji_code) throw new BadRequestError('Invalid emoji name.')
      break
    case 'unicode_emoji': {
      const names = emojiNamesByCode(emoji_code)
      if (names.length === 0) throw new BadRequestError('Invalid emoji code.')
      if (!names.includes(emoji_name)) throw new BadRequestError('Invalid emoji name.')
      break
    }
    default:
      throw new BadRequestError('Invalid emoji type.')
  }
  return emoji(emoji_name, emoji_code, reaction_type)
}

function requireCustomEmoji(name: string, code: string, custom: CustomEmojiLookup): void {
  const uploaded = /^\d{1,15}$/.test(code) ? custom.byId(Number(code)) : undefined
  if (!uploaded) throw new BadRequestError('Invalid custom emoji.')
  if (uploaded.name !== name) throw new BadRequestError('Invalid custom emoji name.')
  if (uploaded.isDeactivated) throw new BadRequestError('This custom emoji has been deactivated.')
}

function emoji(emoji_name: string, emoji_code: string, reaction_type: EmojiType): Emoji {
  return { emoji_name, emoji_code, reaction_type }
}
