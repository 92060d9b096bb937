import { chance, chanceBelow } from './chance.ts'

const WORDS =
  'the harbour boat engine late tide book order crate morning crew signal weather northern list paper ready broken repair coffee meeting plan water stone light window green number answer question market'.split(
    ' ',
  )
/** Sequences of chance, one for each decision. */
const LENGTH = 101
const WORD = 102

/** Most messages are short, some have many words. */
const MIN_WORDS = 2
const MAX_WORDS = 30

/** Returns the words of a message; some are rare enough to be searched for. */
export function seedText(message: number): string {
  const count = MIN_WORDS + Math.floor(chance(LENGTH, message) ** 2 * (MAX_WORDS - MIN_WORDS))
  const words: string[] = []
  for (let at = 0; at < count; at += 1) {
    words.push(WORDS[chanceBelow(WORDS.length, WORD, message * MAX_WORDS + at)]!)
  }
  if (message % 997 === 0) words.push('zyzzyva')
  if (message % 501 === 0) words.push('港の船は遅れています')
  if (message % 13 === 0) words.push('**bold** and `code`')
  if (message % 31 === 0) words.push(`https://example.com/page/${message}`)
  return words.join(' ')
}

/** Returns the name of a channel's topic. */
export function seedTopic(topic: number): string {
  return topic === 0 ? 'the long topic' : `${WORDS[topic % WORDS.length]} ${topic}`
}

const FIRST_NAMES =
  'Ada Ben Cleo Dov Eva Finn Gro Hugo Ida Jun Kaya Liv Mara Nils Orla Pia Rui Siv Tove Uri'.split(' ')
const LAST_NAMES =
  'Amsel Brandt Cruz Dahl Eder Falk Grau Haas Iwata Jansen Kern Lund Moreau Novak Ochs Prag'.split(' ')

/** Returns a person's name; no two are equal. */
export function seedName(person: number): string {
  const first = FIRST_NAMES[person % FIRST_NAMES.length]
  const last = LAST_NAMES[Math.floor(person / FIRST_NAMES.length) % LAST_NAMES.length]
  return `${first} ${last} ${person}`
}
