/** Size of a seeded organization, besides its founding content. */
export interface SeedSize {
  readonly users: number
  readonly channels: number
  readonly messages: number
}

/** People, channels and messages are numbered from 0, before they have ids. */
export interface SeedPerson {
  readonly fullName: string
  readonly email: string
  readonly role: 200 | 300 | 400 | 600
}

interface SeedChannel {
  readonly name: string
  readonly isPrivate: boolean
  readonly historyPublic: boolean
  /** Ascending numbers of people; the first is its creator. */
  readonly members: readonly number[]
}

interface SeedMessage {
  readonly sender: number
  readonly to: { readonly channel: number; readonly topic: string } | { readonly members: readonly number[] }
  readonly content: string
  /** A person mentioned by the message, besides its words. */
  readonly mentions: number | undefined
  /** People who react to it with a thumbs up. */
  readonly reactions: readonly number[]
}

/** Sequences of chance, one for each decision. */
const CHANNEL_OF_PERSON = 1
const CHANNEL_OF_MESSAGE = 2
const TOPIC = 3
const SENDER = 4
const KIND = 5
const PARTNER = 6
const UNREAD = 8

/** Channels of a person, besides the channel for everyone. */
const CHANNELS_A_PERSON = 11
/** Members of a channel who are mentioned and react. */
const CLOSE_COLLEAGUES = 50
const SHARE_OF_DIRECT = 0.1
const SHARE_OF_EVERYBODYS_CHANNEL = 0.2
/** Number of topics in a channel, besides the long one in the channel for everyone. */
const TOPICS_A_CHANNEL = 200

/** The contents of a seeded organization; the same size always gives the same contents. */
export class SeedPlan {
  readonly size: SeedSize
  readonly #members: number[][]

  constructor(size: SeedSize) {
    this.size = size
    const members: Set<number>[] = Array.from({ length: size.channels }, () => new Set())
    for (let person = 0; person < size.users; person += 1) {
      members[0]?.add(person)
      for (let at = 0; at < CHANNELS_A_PERSON && size.channels > 0; at += 1) {
        const position = person * CHANNELS_A_PERSON + at
        // Some channels have many members and most have few; none is empty.
        const channel =
          at === 0 ? person % size.channels : popular(size.channels, chance(CHANNEL_OF_PERSON, position))
        members[channel]!.add(person)
      }
    }
    this.#members = members.map((set, channel) => {
      if (set.size === 0) set.add(channel % size.users)
      return [...set].sort((a, b) => a - b)
    })
  }

  person(number: number): SeedPerson {
    const role = number % 23 === 11 ? 600 : number % 97 === 5 ? 300 : number % 193 === 7 ? 200 : 400
    return { fullName: seedName(number), email: `person-${number}@example.com`, role }
  }

  channel(number: number): SeedChannel {
    const isPrivate = number % 7 === 3
    return {
      name: number === 0 ? 'everybody' : `channel ${number}`,
      isPrivate,
      historyPublic: !isPrivate || number % 2 === 0,
      members: this.#members[number]!,
    }
  }

  message(number: number): SeedMessage {
    const members = this.#recipientOf(number)
    const sender = members.people[Math.floor(chance(SENDER, number) ** 2 * members.people.length)]!
    const others = members.people.slice(0, CLOSE_COLLEAGUES).filter((person) => person !== sender)
    const isMention = number % 40 === 7 && others.length > 0
    const reactions = number % 50 === 3 ? others.slice(0, 1 + (number % 3)) : []
    return {
      sender,
      to: members.to,
      content: seedText(number),
      mentions: isMention ? others[chanceBelow(others.length, PARTNER, number)] : undefined,
      reactions,
    }
  }

  /** Returns how many of the newest messages the person has not read. */
  unread(person: number): number {
    return Math.floor(chance(UNREAD, person) ** 4 * Math.min(this.size.messages, 20_000))
  }

  #recipientOf(number: number): { to: SeedMessage['to']; people: readonly number[] } {
    const { users, channels } = this.size
    const kind = chance(KIND, number)
    if (kind < SHARE_OF_DIRECT || channels === 0) {
      const one = Math.floor(chance(SENDER, number) ** 2 * users)
      const count = kind < SHARE_OF_DIRECT / 4 ? 3 : 2
      const step = 1 + chanceBelow(5, PARTNER, number)
      const people = [...new Set(Array.from({ length: count }, (_, at) => (one + at * step) % users))]
      return { to: { members: people.sort((a, b) => a - b) }, people }
    }
    const channel =
      kind < SHARE_OF_DIRECT + SHARE_OF_EVERYBODYS_CHANNEL
        ? 0
        : popular(channels, chance(CHANNEL_OF_MESSAGE, number))
    const isLong = channel === 0 && number % 2 === 0
    const topic = isLong ? 0 : 1 + popular(TOPICS_A_CHANNEL, chance(TOPIC, number))
    return { to: { channel, topic: seedTopic(topic) }, people: this.#members[channel]! }
  }
}

/** Returns an integer below `end`; low ones are likelier. */
function popular(end: number, share: number): number {
  return Math.floor(share ** 3 * end)
}

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

/** Returns the words of a message; some are rare enough to search for. */
function seedText(message: number): string {
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

/** Returns a person's name; all are different. */
function seedName(person: number): string {
  const first = FIRST_NAMES[person % FIRST_NAMES.length]
  const last = LAST_NAMES[Math.floor(person / FIRST_NAMES.length) % LAST_NAMES.length]
  return `${first} ${last} ${person}`
}

let latest: SeedPlan | undefined

/** The plan is cached, because its slices are requested one at a time. */
export function seedPlanOf(size: SeedSize): SeedPlan {
  const { users, channels, messages } = latest?.size ?? {}
  if (users !== size.users || channels !== size.channels || messages !== size.messages) {
    latest = new SeedPlan(size)
  }
  return latest!
}

/**
 * Returns a reproducible random number: the same position in the same sequence always gives the same number, without those before it, so
 * that any slice of a seeded organization can be made by itself.
 */
function chance(sequence: number, position: number): number {
  let hash = Math.imul(sequence, 0x9e3779b1) ^ Math.imul(position + 1, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad)
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97)
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
}

/** Returns a whole number below `end`. */
function chanceBelow(end: number, sequence: number, position: number): number {
  return Math.floor(chance(sequence, position) * end)
}
