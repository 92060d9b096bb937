import { emojiTable } from './emoji-table.ts'

/**
 * Both directions of the emoji table. Built at first use, so that a start of the Worker does not pay for it.
 */
interface EmojiIndex {
  codeByName: Map<string, string>
  namesByCode: Map<string, readonly string[]>
  /** Codes with variation selectors, by the code without them. */
  wholeCodes: Map<string, string>
}

let index: EmojiIndex | undefined

function emojiIndex(): EmojiIndex {
  if (index !== undefined) return index
  const codeByName = new Map<string, string>()
  const namesByCode = new Map<string, readonly string[]>()
  const wholeCodes = new Map<string, string>()
  for (const entry of emojiTable.split(/[\n,]/)) {
    const [code, ...names] = entry.split(' ') as [string, ...string[]]
    namesByCode.set(code, names)
    if (shortEmojiCode(code) !== code) wholeCodes.set(shortEmojiCode(code), code)
    for (const name of names) codeByName.set(name, code)
  }
  index = { codeByName, namesByCode, wholeCodes }
  return index
}

/**
 * Returns the code of a Unicode emoji, dash-separated hexadecimal code points: `1f44d` for `thumbs_up`
 * (docs/interface/messages.md#the-message-object).
 */
export function emojiCodeByName(name: string): string | undefined {
  return emojiIndex().codeByName.get(name)
}

/** Returns a code without its variation selectors, as pictures are named in messages. */
export function shortEmojiCode(code: string): string {
  return code.replaceAll('-fe0f', '')
}

/** Returns the characters of an emoji from its code, whole or short. */
export function emojiCharacters(code: string): string {
  const whole = emojiIndex().wholeCodes.get(code) ?? code
  return String.fromCodePoint(...whole.split('-').map((part) => Number.parseInt(part, 16)))
}

/** Returns the code of the same emoji as the table has it, whatever variation selectors it was written with. */
export function wholeEmojiCode(code: string): string {
  const short = shortEmojiCode(code)
  return emojiIndex().wholeCodes.get(short) ?? short
}

/** Returns all names of a Unicode emoji, the preferred one first; [] for an unknown code. */
export function emojiNamesByCode(code: string): readonly string[] {
  return emojiIndex().namesByCode.get(code) ?? []
}

/** Returns every Unicode emoji with its names: the body of the document at `server_emoji_data_url`. */
export function codeToNames(): Record<string, string[]> {
  return Object.fromEntries([...emojiIndex().namesByCode].map(([code, names]) => [code, [...names]]))
}
