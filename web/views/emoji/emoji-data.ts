import { fromJson } from '../../api/json.ts'
import { state } from '../../chat.ts'
import { customEmoji, type EmojiName } from '../../state/emoji.ts'
import { emojiFromCode } from '../../state/emoji-character.ts'
import { plain } from '../../state/words.ts'

interface UnicodeEmoji {
  readonly groups: readonly (readonly EmojiName[])[]
  /** Each emoji under each of its names. */
  readonly named: readonly EmojiName[]
}

let unicode: UnicodeEmoji = { groups: [], named: [] }
let toned: Readonly<Record<string, string>> = {}
let loading: Promise<void> | undefined

/** Loads names and codes, as the server has them, and words in the page's language, when the first emoji is looked for. */
export function loadEmoji(): Promise<void> {
  loading ??= fetchEmoji().catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

/** Words for emoji in each language of the page. */
const WORDS: Readonly<Record<string, () => Promise<{ default: Readonly<Record<string, string>> }>>> = {
  en: () => import('emoji-words:en'),
  ar: () => import('emoji-words:ar'),
  de: () => import('emoji-words:de'),
  es: () => import('emoji-words:es'),
  fr: () => import('emoji-words:fr'),
  ja: () => import('emoji-words:ja'),
}

async function fetchEmoji(): Promise<void> {
  const { pathname } = new URL(state.server.server_emoji_data_url, location.href)
  const [text, { default: order }, { default: words }] = await Promise.all([
    fetch(pathname).then((response) => response.text()),
    import('emoji-words:order'),
    (WORDS[document.documentElement.lang] ?? WORDS.en!)(),
  ])
  const { code_to_names } = fromJson<{ code_to_names: Record<string, string[]> }>(text)
  const namesOf = new Map<string, EmojiName[]>()
  for (const [code, names] of Object.entries(code_to_names)) {
    const [label, ...others] = words[code]?.split('|') ?? []
    const known = label === undefined ? {} : { label, words: [label, ...others].map(plain) }
    namesOf.set(
      code,
      names.map((name) => ({ name, code, type: 'unicode_emoji', ...known })),
    )
  }
  toned = order.toned
  unicode = {
    groups: order.groups.map((codes) => codes.flatMap((code) => namesOf.get(code)?.[0] ?? [])),
    named: [...namesOf.values()].flat(),
  }
}

export function allEmoji(): EmojiName[] {
  return [...customEmoji(state), ...unicode.named]
}

/** Returns the groups of Unicode's emoji, each emoji once: smileys, people, nature, food, travel, activities, objects, symbols, flags. */
export function emojiGroups(): UnicodeEmoji['groups'] {
  return unicode.groups
}

/** Returns the characters of an emoji in a skin tone (1 to 5); undefined if it has none. */
export function inTone({ code, type }: EmojiName, tone: number): string | undefined {
  const form = type === 'unicode_emoji' && tone > 0 ? toned[code] : undefined
  return form && emojiFromCode(form.replaceAll('tone', (0x1f3fa + tone).toString(16)))
}
