import type { User } from './wire.ts'

/** Returns how well a text matches the typed text: the lower, the better; undefined if it does not. */
export function fitOf(text: string, query: string): number | undefined {
  return closeness(plain(text), plain(query))
}

export const FIT = { whole: 0, beginning: 1, words: 2, inside: 3 } as const

export function closeness(text: string, query: string): number | undefined {
  if (text === query) return FIT.whole
  if (text.startsWith(query)) return FIT.beginning
  if (beginsWords(text, query)) return FIT.words
  if (text.includes(query)) return FIT.inside
  // In scripts without spaces between words, a space between the parts of a name need not be typed.
  return UNSPACED.test(query) && withoutSpaces(text).includes(withoutSpaces(query)) ? FIT.inside : undefined
}

export const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

function withoutSpaces(text: string): string {
  return text.replaceAll(' ', '')
}

/** Whether each word that was typed is somewhere in the text, whatever the case, the width and the kind of spaces. */
export function hasWords(text: string, typed: string): boolean {
  return areIn(plain(text), typed)
}

/** Whether each word is in the user's name or address. */
export function isUserNamed(user: User, typed: string): boolean {
  return areIn(`${plainName(user)} ${user.delivery_email?.toLowerCase() ?? ''}`, typed)
}

function areIn(text: string, typed: string): boolean {
  const query = plain(typed).trim()
  return (
    query === '' ||
    query.split(' ').every((word) => text.includes(word)) ||
    closeness(text, query) !== undefined
  )
}

/** Whether each typed word is a prefix of the next word: `jo sm` matches `John Smith`. */
function beginsWords(text: string, query: string): boolean {
  const words = text.split(/[\s._-]+/)
  let next = 0
  for (const part of query.split(/\s+/)) {
    while (next < words.length && !words[next]!.startsWith(part)) next += 1
    if (next === words.length) return false
    next += 1
  }
  return true
}

/** Returns the text without case, accents, width and invisible characters, and with one kind of space, since keyboards differ. */
export function plain(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/\s+/g, ' ')
}

/** Texts that `plain` need not take apart: without two spaces in a row. */
const ASCII = /^[!-~]*(?: [!-~]+)* ?$/

/** A cache of plain names, since names are compared at every key press. */
const plainNames = new WeakMap<User, readonly [name: string, plain: string]>()

export function plainName(user: User): string {
  const known = plainNames.get(user)
  if (known?.[0] === user.full_name) return known[1]
  const made = plain(user.full_name)
  plainNames.set(user, [user.full_name, made])
  return made
}
