/** Harbour Books, the demo organization: its people, its channels and how their conversations end, from the data in `demo`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromJson } from './json.ts'

export interface DemoPerson {
  full_name: string
  email: string
  role: 'owner' | 'administrator' | 'moderator' | 'member' | 'guest'
  /** The minutes between their last activity and the first start; 0 if they are active. */
  awayMinutes: number
  status?: { status_text: string; emoji_name: string }
}

/** Subjects of conversations, which are in `demo-conversations.ts`. */
export type DemoTheme = 'shop' | 'books' | 'web' | 'life' | 'money' | 'place'

/** A line of a scene, with an emoji by which others react. */
export interface SceneLine {
  /** First names. */
  from: string
  says: string
  reaction?: string
  by?: readonly string[]
}

export interface DemoConversation {
  /** Indexes into DEMO_PEOPLE. */
  people: readonly number[]
  themes: readonly DemoTheme[]
}

export interface DemoChannel extends DemoConversation {
  name: string
  description: string
  invite_only?: true
  /** The last lines of each topic. */
  topics: Readonly<Record<string, readonly SceneLine[]>>
}

/** People are first names in the files, `everyone`, or `staff`, who are all but guests. */
type InFile<Conversation> = Omit<Conversation, 'people'> & {
  people: readonly string[] | 'everyone' | 'staff'
}
type DirectConversation = DemoConversation & { scene: readonly SceneLine[] }

export const DEMO_PASSWORD = 'harbour-books'

const { people, bot } = read<{
  /** The owner comes first. */
  people: readonly [DemoPerson, ...DemoPerson[]]
  /** A generic bot of the owner. */
  bot: { full_name: string; short_name: string }
}>('people.json')
const { channels, direct } = read<{
  channels: readonly InFile<DemoChannel>[]
  direct: readonly InFile<DirectConversation>[]
}>('conversations.json')

export const DEMO_PEOPLE = people
export const DEMO_BOT = bot
/** The bot's index follows those of the people. */
export const DEMO_BOT_INDEX = people.length

const FIRST_NAMES = [...people, bot].map(({ full_name }) => full_name.split(' ')[0]!)

export const DEMO_CHANNELS = channels.map((one): DemoChannel => ({ ...one, people: indexesOf(one.people) }))
/** Direct conversations: two people, or a few. */
export const DEMO_DIRECT = direct.map(
  (one): DirectConversation => ({ ...one, people: indexesOf(one.people) }),
)

/** Returns the index of a person, or of the bot. */
export function indexOfPerson(firstName: string): number {
  const index = FIRST_NAMES.indexOf(firstName)
  if (index === -1) throw new Error(`scripts/demo names ${firstName}, who is not in people.json`)
  return index
}

function indexesOf(named: InFile<DemoConversation>['people']): readonly number[] {
  if (typeof named !== 'string') return named.map(indexOfPerson)
  const all = [...people.keys()]
  return named === 'everyone' ? all : all.filter((index) => people[index]!.role !== 'guest')
}

function read<Data extends object>(file: string): Data {
  return fromJson<Data>(readFileSync(join(import.meta.dirname, 'demo', file), 'utf8'))
}
