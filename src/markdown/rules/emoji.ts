import type { MarkdownIt, StateInline } from 'markdown-it'
import { emojiCodeByName, type FoundEmoji, findUnicodeEmoji } from '../emoji-data.ts'
import { isPlainAscii } from '../html-parts.ts'
import { contextOf } from '../render-types.ts'
import { type Attributes, pushElement } from './emphasis.ts'
import { type Replacement, rewriteText } from './rewrite-text.ts'

/** Returns the attributes of a Unicode emoji's span (public API's message formatting, "Emoji"). */
function emojiAttributes(name: string, code: string): Attributes {
  const title = name.replaceAll('_', ' ')
  return [
    ['aria-label', title],
    ['class', `emoji emoji-${code}`],
    ['role', 'img'],
    ['title', title],
  ]
}

/** Parses `:name:` of a custom emoji, else of a Unicode emoji. An unknown name stays text. */
function parseEmojiName(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (src.charCodeAt(pos) !== 0x3a) return false
  let end = pos + 1
  while (end < state.posMax && isNameChar(src.charCodeAt(end))) end++
  if (end === pos + 1 || end >= state.posMax || src.charCodeAt(end) !== 0x3a) return false

  const name = src.slice(pos + 1, end)
  const custom = contextOf(state.env).lookups.customEmoji(name)
  const code = custom === undefined ? emojiCodeByName(name) : undefined
  if (custom === undefined && code === undefined) return false
  if (!silent) {
    if (custom !== undefined) {
      state.push('img', 'img', 0).attrs = [
        ['alt', `:${name}:`],
        ['class', 'emoji'],
        ['src', custom.sourceUrl],
        ['title', name],
      ]
    } else {
      pushElement(state, 'span', emojiAttributes(name, code!), `:${name}:`)
    }
  }
  state.pos = end + 1
  return true
}

/** Whether a character may be part of a name: letters, digits, `_`, `-`, `+`. */
function isNameChar(char: number): boolean {
  return (
    (char >= 0x61 && char <= 0x7a) ||
    (char >= 0x41 && char <= 0x5a) ||
    (char >= 0x30 && char <= 0x39) ||
    char === 0x5f ||
    char === 0x2d ||
    char === 0x2b ||
    char > 0x7f
  )
}

/** Wraps each emoji in a span. */
function* emojiSpans(found: Iterable<FoundEmoji>): Generator<Replacement, void> {
  for (const { start, end, name, code } of found) {
    yield { start, end, text: `:${name}:`, tag: 'span', attributes: emojiAttributes(name, code) }
  }
}

export function useEmoji(md: MarkdownIt): void {
  md.inline.ruler.before('strikethrough', 'emoji_name', parseEmojiName)
  md.core.ruler.push('unicode_emoji', (state) => {
    if (isPlainAscii(state.src)) return
    rewriteText(state, { inLinks: true }, (text) => emojiSpans(findUnicodeEmoji(text)))
  })
  md.core.ruler.push('emoticons', (state) => {
    if (!contextOf(state.env).lookups.translateEmoticons) return
    rewriteText(state, { inLinks: false }, (text) => emojiSpans(findEmoticons(text)))
  })
}

/** Emoticons translated when the sender's `translate_emoticons` is on, with their emoji. */
export const emoticonNames: ReadonlyMap<string, string> = new Map([
  [':)', 'slight_smile'],
  ['(:', 'slight_smile'],
  [':(', 'frown'],
  ['<3', 'heart'],
  [':|', 'neutral'],
  [':/', 'confused'],
  [';)', 'wink'],
  [':D', 'smile'],
  [':o', 'open_mouth'],
  [':O', 'open_mouth'],
  [':p', 'stuck_out_tongue'],
  [':P', 'stuck_out_tongue'],
])

/** Length of all emoticons. */
const LENGTH = 2

/** Characters allowed next to an emoticon, besides whitespace and the ends of the text. */
const SIGNS = ',.;?!()[]"\''

/** Yields emoticons that are separate words, with or without punctuation around them. */
function* findEmoticons(text: string): Generator<FoundEmoji> {
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    for (let start = 0; start < word.length; ) {
      const emoticon = emoticonAt(word, start)
      const code = emoticon && emojiCodeByName(emoticon.name)
      if (emoticon && code !== undefined) {
        const { name, end } = emoticon
        yield { start: index + start, end: index + end, name, code }
        start = end
      } else start++
    }
  }
}

function emoticonAt(word: string, start: number): { name: string; end: number } | undefined {
  if (start > 0 && !SIGNS.includes(word[start - 1]!)) return undefined
  const end = start + LENGTH
  const name = emoticonNames.get(word.slice(start, end))
  return name !== undefined && (end === word.length || SIGNS.includes(word[end]!)) ? { name, end } : undefined
}
