import { state } from '../../chat.ts'
import { customEmoji, type EmojiName } from '../../state/completion.ts'
import { readStored, store } from '../../ui/stored.ts'

let unicode: readonly EmojiName[] = []
let loading: Promise<void> | undefined

/** Loads names and codes, as the server has them, when the first emoji is looked for. */
export function loadEmoji(): Promise<void> {
  loading ??= fetchEmoji().catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

async function fetchEmoji(): Promise<void> {
  const { pathname } = new URL(state.server.server_emoji_data_url, location.href)
  const response = await fetch(pathname)
  const { code_to_names } = (await response.json()) as { code_to_names: Record<string, string[]> }
  const codes = Object.entries(code_to_names).sort(([a], [b]) => position(a) - position(b))
  unicode = codes.flatMap(([code, names]) =>
    names.map((name): EmojiName => ({ name, code, type: 'unicode_emoji' })),
  )
}

/** Faces first, then hands and people, hearts, and the rest in Unicode's order. */
const FIRST: readonly (readonly [number, number])[] = [
  [0x1f600, 0x1f644],
  [0x1f910, 0x1f917],
  [0x1f920, 0x1f92f],
  [0x1f970, 0x1f97a],
  [0x1f442, 0x1f450],
  [0x1f493, 0x1f49f],
  [0x1f300, 0x1faff],
]

function position(code: string): number {
  const point = Number.parseInt(code, 16)
  const range = FIRST.findIndex(([from, to]) => point >= from && point <= to)
  return (range === -1 ? FIRST.length : range) * 0x200000 + point
}

export function allEmoji(): EmojiName[] {
  return [...customEmoji(state), ...unicode]
}

/** Returns each emoji once, with one name. */
export function distinctEmoji(): EmojiName[] {
  const seen = new Set<string>()
  return allEmoji().filter(({ type, code }) => {
    const key = `${type} ${code}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

const USES_KEY = 'emoji uses'

/** Returns how often this browser's user has chosen each emoji, by code. */
export function emojiUses(): Map<string, number> {
  return new Map(readStored<[string, number][]>(USES_KEY))
}

const KEPT_USES = 60

export function noteUse(code: string): void {
  const uses = emojiUses()
  uses.set(code, (uses.get(code) ?? 0) + 1)
  const kept = [...uses].sort((a, b) => b[1] - a[1]).slice(0, KEPT_USES)
  store(USES_KEY, kept)
}
