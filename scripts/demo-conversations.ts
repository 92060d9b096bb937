/**
 * Makes several thousand messages that look as if people had written them in the past weeks: each conversation ends with a scene of its own,
 * and the earlier messages are lines that fit the channel. The seed is
 * fixed, so that two people who look at the demo on the same day see the same messages.
 */
import type { Faker } from '@faker-js/faker'
import { base, en, Faker as FakerClass } from '@faker-js/faker'
import {
  DEMO_BOT_INDEX,
  DEMO_CHANNELS,
  DEMO_DIRECT,
  DEMO_PEOPLE,
  type DemoConversation,
  type DemoTheme,
  indexOfPerson,
  type SceneLine,
} from './demo-people.ts'

export interface DemoMessage {
  /** UNIX seconds. */
  at: number
  /** Index into DEMO_PEOPLE, or DEMO_BOT_INDEX. */
  sender: number
  to: { channel: string; topic: string } | { people: readonly number[] }
  content: string
  reactions: { emoji_name: string; person: number }[]
}

const SEED = 20_260_501
const WEEKS = 5
/** Scenes take place in the last working hours, given in seconds. */
const SCENES_WITHIN = 30 * 3600
const WORKDAY = { start: 8.5 * 3600, seconds: 9 * 3600 }
const EMOJI = ['thumbs_up', 'heart', 'tada', 'smile', 'check', 'eyes', 'joy', 'rocket', 'coffee', 'books']

/** @param now UNIX seconds; every message is older. @returns in the order of their times. */
export function writeDemoMessages(now: number): DemoMessage[] {
  const faker = new FakerClass({ locale: [en, base], seed: SEED })
  faker.setDefaultRefDate(new Date(now * 1000))
  const clock = workingClock(now)
  const messages = DEMO_CHANNELS.filter((channel) => channel.name !== 'till reports').flatMap((channel) => {
    const { people } = channel
    return Object.entries(channel.topics).flatMap(([topic, scene]) => {
      const length = faker.number.int({ min: 15, max: 110 })
      const written = converse(faker, clock, { people, themes: channel.themes, length, scene })
      return written.map((message) => ({ ...message, to: { channel: channel.name, topic } }))
    })
  })
  const direct = DEMO_DIRECT.flatMap(({ people, themes, scene }) => {
    const length = faker.number.int({ min: 10, max: 45 })
    return converse(faker, clock, { people, themes, length, scene }).map((message) => ({
      ...message,
      to: { people },
    }))
  })
  return [...messages, ...direct, ...reportTakings(faker, clock)].sort((a, b) => a.at - b.at)
}

interface Conversation extends DemoConversation {
  length: number
  scene: readonly SceneLine[]
}

/** Generates bursts of messages with pauses between them, seldom two in a row by the same person. */
function converse(faker: Faker, clock: WorkingClock, { people, themes, length, scene }: Conversation) {
  const played = play(faker, clock, scene)
  const speakers = faker.helpers.arrayElements(people, { min: Math.min(2, people.length), max: 6 })
  const written: Omit<DemoMessage, 'to'>[] = []
  let worked = faker.number.int({ min: 0, max: clock.total * 0.7 })
  let last: number | undefined
  for (let index = 0; index < length; index += 1) {
    worked += faker.datatype.boolean(0.85)
      ? faker.number.int({ min: 15, max: 300 })
      : faker.number.int({ min: 3600, max: 40_000 })
    if (worked >= clock.total || clock.timeAt(worked) >= played.begins) break
    const others = speakers.filter((speaker) => speaker !== last)
    const sender =
      last !== undefined && faker.datatype.boolean(0.15) ? last : faker.helpers.arrayElement(others)
    const named = faker.helpers.arrayElement(speakers)
    const text = say(faker, faker.helpers.arrayElement(themes))
    const content =
      named !== sender && faker.datatype.boolean(0.06)
        ? `@**${DEMO_PEOPLE[named]?.full_name}** ${text}`
        : text
    written.push({ at: clock.timeAt(worked), sender, content, reactions: react(faker, people) })
    last = sender
  }
  return [...written, ...played.lines]
}

/** Plays a scene, a few minutes from line to line. */
function play(faker: Faker, clock: WorkingClock, scene: readonly SceneLine[]) {
  let worked = clock.total - faker.number.int({ min: 1800, max: SCENES_WITHIN })
  const begins = clock.timeAt(worked)
  const lines = scene.map(({ from, says, reaction, by = [] }): Omit<DemoMessage, 'to'> => {
    const at = clock.timeAt(worked)
    worked += faker.number.int({ min: 20, max: 400 })
    const reactions = reaction
      ? by.map((name) => ({ emoji_name: reaction, person: indexOfPerson(name) }))
      : []
    return { at, sender: indexOfPerson(from), content: says, reactions }
  })
  return { begins, lines }
}

function react(faker: Faker, people: readonly number[]): DemoMessage['reactions'] {
  if (!faker.datatype.boolean(0.1)) return []
  const emoji_name = faker.helpers.arrayElement(EMOJI)
  const reactors = faker.helpers.arrayElements(people, { min: 1, max: Math.min(3, people.length) })
  return reactors.map((person) => ({ emoji_name, person }))
}

function reportTakings(faker: Faker, clock: WorkingClock): DemoMessage[] {
  const euros = () => `€ ${faker.finance.amount({ min: 180, max: 2600 })}`
  const days = clock.total / WORKDAY.seconds
  return Array.from({ length: Math.floor(days) }, (_, day) => ({
    at: clock.timeAt((day + 1) * WORKDAY.seconds - 60),
    sender: DEMO_BOT_INDEX,
    to: { channel: 'till reports', topic: 'daily takings' },
    content: `**Takings of the day**\n\n| till | sales | sum |\n|---|---|---|\n${['front', 'back', 'web shop']
      .map((till) => `| ${till} | ${faker.number.int({ min: 20, max: 140 })} | ${euros()} |`)
      .join('\n')}`,
    reactions: [],
  }))
}

function say(faker: Faker, theme: DemoTheme): string {
  const lines = faker.datatype.boolean(0.45) ? REPLIES : SUBJECTS[theme]
  return faker.helpers.arrayElement(lines)(faker)
}

type Line = (faker: Faker) => string

const oneOf =
  (...words: readonly [string, ...string[]]): Line =>
  (f) =>
    f.helpers.arrayElement(words)
const book: Line = (f) => `*${f.book.title()}*`
const day: Line = (f) => f.date.weekday()
const count = (f: Faker, min: number, max: number) => f.number.int({ min, max })
const sum: Line = (f) => `€ ${f.finance.amount({ min: 20, max: 900 })}`
const first: Line = (f) => f.person.firstName()
const supplier = oneOf('Quay Press', 'Northlight Books', 'Harrow & Finch', 'Salt Row', 'Meridian Paper')
const town = oneOf('Bergen', 'Galway', 'Porto', 'Trieste', 'Lübeck', 'Whitby')
const craftsman = oneOf('The roofer', 'The electrician', 'The carpenter', 'The plumber')
const shelf: Line = (f) => `the ${f.book.genre().toLowerCase()} shelf`

/** Answers that fit everywhere. */
const REPLIES: readonly Line[] = [
  () => 'Yes, please.',
  () => 'Thanks! :thumbs_up:',
  () => 'I can do that.',
  (f) => `Can it wait until ${day(f)}?`,
  (f) => `Done, ${count(f, 2, 40)} minutes ago.`,
  (f) => `Not before ${day(f)}, I am afraid.`,
  () => 'Good idea.',
  () => 'I would rather not, the last time it took us two days to put right.',
  () => 'Who has the list?',
  (f) => `Agreed. I will write to ${first(f)} about it.`,
  (f) => `${first(f)} from ${supplier(f)} called, they want to know the same.`,
  () => 'Let us look at it together after lunch?',
  () => 'I thought we had decided this already?',
  () => 'We had. I wrote it down, but nobody reads what I write down. :smile:',
  (f) => `For the record:\n\n* ${day(f)}: me\n* ${day(f)}: ${first(f)}\n* the rest: nobody yet`,
]

const SUBJECTS: Record<DemoTheme, readonly Line[]> = {
  shop: [
    (f) => `A customer asks for ${count(f, 2, 30)} copies of ${book(f)} by ${day(f)}.`,
    (f) => `The ${oneOf('front', 'back')(f)} till is out of paper again.`,
    (f) => `A ${oneOf('red', 'striped', 'very large')(f)} umbrella and a bag of apples are at the counter.`,
    (f) => `Can I swap my ${day(f)} with ${first(f)}?`,
    (f) => `The table by the window: ${book(f)}, ${book(f)} and the ${f.music.genre()} biographies.`,
    (f) => `${count(f, 3, 25)} parcels for ${town(f)} went out, two are missing labels.`,
    (f) => `We sold ${count(f, 4, 60)} of ${book(f)} this morning. Reorder?`,
  ],
  books: [
    (f) => `${f.book.author()} is coming to ${town(f)}, shall we ask for a reading?`,
    (f) => `Has anyone finished ${book(f)}? The last third is ${oneOf('slow', 'wonderful', 'odd')(f)}.`,
    (f) => `${supplier(f)} sends proofs of ${book(f)} and ${book(f)}.`,
    (f) =>
      `Order proposal:\n\n1. ${book(f)}, ${count(f, 3, 20)} copies\n2. ${book(f)}, ${count(f, 2, 8)} copies\n3. ${book(f)}, one to try`,
    (f) => `${book(f)} is out of print, but ${supplier(f)} has ${count(f, 2, 9)} left.`,
    (f) => `I would put it beside ${book(f)}, not on ${shelf(f)}.`,
  ],
  web: [
    (f) =>
      `The checkout answered \`${oneOf('500', '502', '429', '409')(f)}\` for ${count(f, 2, 50)} orders since ${count(f, 7, 12)} o'clock.`,
    (f) =>
      `Merged: ${oneOf('smaller cover pictures', 'opening hours in the footer', 'gift cards by e-mail')(f)} (\`${f.git.commitSha({ length: 7 })}\`)`,
    (f) =>
      `In the log:\n\n\`\`\`\n${f.date.recent().toISOString().slice(11, 19)} WARN ${oneOf('payment', 'stock count', 'search')(f)} took ${count(f, 800, 9000)} ms\n\`\`\``,
    (f) => `Searching for “${f.food.fruit()}” finds ${book(f)} first. I have no idea why.`,
    () => 'The release is ready to go when **two** of us have looked at it.',
  ],
  life: [
    (f) =>
      `There is ${oneOf('cake', 'soup', 'fresh bread', 'a box of plums')(f)} in the kitchen, help yourselves.`,
    (f) => `I am in ${town(f)} from ${day(f)} on.`,
    (f) => `Whose turn is the coffee? I brought ${oneOf('dark', 'light', 'expensive')(f)} beans.`,
    (f) => `My ${oneOf('dog', 'cat', 'parrot')(f)} ate ${book(f)}. I will pay for it.`,
    (f) => `The song of the day is *${f.music.songName()}*, sorry.`,
  ],
  money: [
    (f) => `${supplier(f)} invoices ${sum(f)}, we ordered for ${sum(f)}.`,
    (f) => `${sum(f)} short on ${day(f)}. Counted twice.`,
    (f) =>
      `They offer ${count(f, 30, 45)} % on ${count(f, 50, 400)} copies, payable in ${oneOf('30', '60', '90')(f)} days.`,
    (f) => `The return of ${book(f)} is worth ${sum(f)}.`,
    (f) =>
      `The budget for ${oneOf('events', 'shelves', 'advertising')(f)} is ${sum(f)} a month, we are at ${count(f, 40, 130)} %.`,
  ],
  place: [
    (f) => `${craftsman(f)} can come on ${day(f)} between ${count(f, 8, 11)} and ${count(f, 12, 16)}.`,
    (f) => `We need ${count(f, 12, 80)} chairs and a second microphone.`,
    (f) => `It drips on ${shelf(f)} again. I moved the lower two rows.`,
    (f) => `The hall at the old fish market costs ${sum(f)} for the evening.`,
    (f) => `Offer for ${oneOf('oak', 'birch', 'steel')(f)} shelves: ${sum(f)} a metre.`,
  ],
}

interface WorkingClock {
  /** Seconds worked in all these weeks. */
  total: number
  /** UNIX seconds at which that much has been worked. */
  timeAt(worked: number): number
}

/** Messages come in working hours (UTC), so time is counted in them: nights and weekends stay quiet. */
function workingClock(now: number): WorkingClock {
  const today = Math.floor(now / 86_400)
  const days: number[] = []
  for (let day = today - WEEKS * 7; day <= today; day += 1) {
    // The first of January 1970 was a Thursday.
    const weekday = (day + 4) % 7
    const start = day * 86_400 + WORKDAY.start
    if (weekday !== 0 && weekday !== 6 && start + WORKDAY.seconds <= now) days.push(start)
  }
  return {
    total: days.length * WORKDAY.seconds,
    timeAt(worked) {
      const start = days[Math.min(days.length - 1, Math.floor(worked / WORKDAY.seconds))] as number
      return Math.floor(start + (worked % WORKDAY.seconds))
    },
  }
}
