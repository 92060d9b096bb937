import { emojiCodeByName } from './emoji-data.ts'
import type { FoundEmoji } from './unicode-emoji.ts'

/** Emoticons that are translated when the sender's `translate_emoticons` is on, with their emoji. */
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

/** Signs beside which an emoticon may stand, besides white space and the text's ends. */
const SIGNS = ',.;?!()[]"\''

/** Yields emoticons that are words of their own, with or without signs around them. */
export function* findEmoticons(text: string): Generator<FoundEmoji> {
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
