import { emojiCodeByName } from './emoji-data.ts'
import type { FoundEmoji } from './unicode-emoji.ts'

/** Emoticons that are translated when the sender's `translate_emoticons` is on, with their emoji. */
export const emoticonNames: ReadonlyMap<string, string> = new Map([
  [':)', 'smile'],
  ['(:', 'smile'],
  [':(', 'frown'],
  ['<3', 'heart'],
  [':|', 'neutral'],
  [':/', 'confused'],
  [';)', 'wink'],
  [':D', 'grinning'],
  [':o', 'open_mouth'],
  [':O', 'open_mouth'],
  [':p', 'stuck_out_tongue'],
  [':P', 'stuck_out_tongue'],
])

/** Yields emoticons that stand alone between white space or the text's ends. */
export function* findEmoticons(text: string): Generator<FoundEmoji> {
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    const name = emoticonNames.get(word)
    if (name === undefined) continue
    const code = emojiCodeByName(name)
    if (code !== undefined) yield { start: index, end: index + word.length, name, code }
  }
}
