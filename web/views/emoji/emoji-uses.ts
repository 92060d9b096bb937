import type { EmojiName } from '../../state/emoji.ts'
import { readStored, store } from '../../ui/stored.ts'

const USES_KEY = 'emoji uses'
const KEPT_USES = 60
/** The decay of past uses at each choice, so that recent favourites overtake old ones. */
const FADE = 0.97

/** Emoji that most people want first, by code: they come first until others have been used. */
const COMMON = ['1f44d', '2764', '1f389', '1f642', '1f602', '2705', '1f440', '1f680', '1f44f']

/** Codes that were kept may have variation selectors, which they had before. */
function keptUses(): Map<string, number> {
  const kept = readStored<[string, number][]>(USES_KEY) ?? []
  return new Map(kept.map(([code, count]) => [code.replaceAll('-fe0f', ''), count]))
}

/** Returns how much this browser's user has chosen each emoji, by code; a little for those that most people want. */
export function emojiUses(): Map<string, number> {
  const common = COMMON.map((code, index) => [code, 0.1 / (index + 1)] as const)
  return new Map([...common, ...keptUses()])
}

export function noteUse(code: string): void {
  const uses = new Map([...keptUses()].map(([known, count]) => [known, count * FADE]))
  uses.set(code, (uses.get(code) ?? 0) + 1)
  store(USES_KEY, [...uses].sort((a, b) => b[1] - a[1]).slice(0, KEPT_USES))
}

/** Returns the emoji that the user has chosen most, then those that most people want. */
export function usualEmoji(all: readonly EmojiName[], limit: number): EmojiName[] {
  const uses = emojiUses()
  return all
    .filter(({ code }) => uses.has(code))
    .sort((a, b) => uses.get(b.code)! - uses.get(a.code)!)
    .slice(0, limit)
}

const TONE_KEY = 'emoji tone'

/** Returns the skin tone, from 1 (light) to 5; 0: the yellow of most emoji. */
export function skinTone(): number {
  return readStored<{ tone: number }>(TONE_KEY)?.tone ?? 0
}

export function keepSkinTone(tone: number): void {
  store(TONE_KEY, { tone })
}
