import { state } from '../../chat.ts'
import { customEmoji, type EmojiName } from '../../state/completion.ts'

let unicode: readonly EmojiName[] = []
let loading: Promise<void> | undefined

/** Names and codes, as the server has them; asked for when the first emoji is looked for. */
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
  unicode = Object.entries(code_to_names).flatMap(([code, names]) =>
    names.map((name): EmojiName => ({ name, code, type: 'unicode_emoji' })),
  )
}

export function allEmoji(): EmojiName[] {
  return [...customEmoji(state), ...unicode]
}

/** One name each. */
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

/** How often this browser's user has taken one, by code. */
export function emojiUses(): Map<string, number> {
  try {
    return new Map(JSON.parse(localStorage.getItem(USES_KEY) ?? '[]') as [string, number][])
  } catch {
    return new Map()
  }
}

const KEPT_USES = 60

export function noteUse(code: string): void {
  const uses = emojiUses()
  uses.set(code, (uses.get(code) ?? 0) + 1)
  const kept = [...uses].sort((a, b) => b[1] - a[1]).slice(0, KEPT_USES)
  localStorage.setItem(USES_KEY, JSON.stringify(kept))
}
