import type { ChatState } from './chat-state.ts'
import { AT_ONCE, best, compareRanks, type Ranked } from './completion.ts'
import { closeness, FIT, plain, UNSPACED } from './words.ts'

export interface EmojiName {
  readonly name: string
  readonly code: string
  readonly type: 'unicode_emoji' | 'realm_emoji' | 'zulip_extra_emoji'
  /** Its name in the page's language. */
  readonly label?: string
  /** The name and other words for it in that language, in the form of `plain`. */
  readonly words?: readonly string[]
}

/** Returns the organization's own emoji, as choices. */
export function customEmoji({ emoji }: ChatState): EmojiName[] {
  return Object.values(emoji)
    .filter(({ deactivated }) => !deactivated)
    .map(({ id, name }) => ({ name, code: id, type: 'realm_emoji' }))
}

/**
 * Returns emoji that match the typed text, with spaces for the underscores of names: by their names, or by words for them in the page's language.
 * `uses`: how much the user has chosen one, by code.
 */
export function completeEmoji(
  all: Iterable<EmojiName>,
  query: string,
  { uses = new Map(), limit = AT_ONCE }: { uses?: ReadonlyMap<string, number>; limit?: number } = {},
): EmojiName[] {
  const wanted = plain(query.replaceAll('_', ' '))
  const byCode = new Map<string, Ranked<EmojiName>>()
  for (const one of all) {
    const key = `${one.type} ${one.code}`
    const known = byCode.get(key)
    const ofName = closeness(one.name.replaceAll('_', ' '), wanted)
    // The words are those of each name.
    const ofWords = known ? undefined : closestWord(one.words, wanted)
    const how = Math.min(ofName ?? Number.POSITIVE_INFINITY, ofWords ?? Number.POSITIVE_INFINITY)
    if (how === Number.POSITIVE_INFINITY) continue
    const isOwn = one.type === 'realm_emoji' ? 0 : 1
    const rank = [how < FIT.beginning ? 0 : 1, -(uses.get(one.code) ?? 0), how, isOwn, one.name.length]
    // If several names of one emoji match, the best match counts.
    if (!known || compareRanks(rank, known.rank) < 0) byCode.set(key, { one, name: one.name, rank })
  }
  return best([...byCode.values()], limit)
}

/** Added to the rank of a match: names come before labels, and labels before related words. */
const ASIDE = { label: 0.25, other: 0.5 } as const

function closestWord(words: readonly string[] = [], wanted: string): number | undefined {
  let closest: number | undefined
  for (const [index, word] of words.entries()) {
    const how = closeness(word, wanted)
    // A match inside words would find an emoji for any two letters.
    if (how === undefined || (how === FIT.inside && !UNSPACED.test(wanted))) continue
    const fit = how + (index === 0 ? ASIDE.label : ASIDE.other)
    if (closest === undefined || fit < closest) closest = fit
  }
  return closest
}
