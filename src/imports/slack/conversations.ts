/** Channels and direct conversations of a Slack export. */
import { parseJson } from '../../core/json.ts'
import { Payload } from '../../integrations/payload.ts'
import { NO_NAMES, type SlackNames } from '../../integrations/slack/emoji.ts'
import { markdownOf } from '../../integrations/slack/mrkdwn.ts'
import { escapeName } from '../../markdown/mention-text.ts'
import type { Known } from '../known.ts'
import { isTime, type NeutralRecord } from '../neutral.ts'
import { described } from '../texts.ts'
import { ofUnlisted } from './people.ts'

const MAX_MEMBERS = 100_000
/** The name of a channel that everybody is in, besides the general one. */
const RANDOM = 'random'

/** Yields the records of a channel. `isPrivate`: whether it is in groups.json. */
export async function* ofChannel(
  channel: Payload,
  isPrivate: boolean,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  const id = channel.text('id')
  const name = channel.text('name').trim()
  if (id === '' || name === '') {
    yield { type: 'problem', kind: 'channel without an id or a name', detail: name || id }
    return
  }
  const members = membersOf(channel)
  for (const member of members) yield* ofUnlisted(member, NOTHING, '', known)
  const creator = channel.text('creator')
  const created = timeOf(channel.text('created'))
  await known.put('channel', id, name)
  // Folders have the names of channels, or the ids of those that were renamed since.
  for (const folder of [name, id])
    await putConversation(folder, { id, isDirect: false, isPrivate, members: [] }, known)
  yield {
    type: 'channel',
    id,
    name: name.slice(0, 1_000),
    description: await descriptionOf(channel, known),
    privacy: isPrivate ? 'private' : 'public',
    history_public: true,
    archived: channel.isTrue('is_archived'),
    ...(created !== undefined && { created_ms: created }),
    ...(creator !== '' && (await known.get('user', creator)) !== undefined && { creator }),
    members: members.map((user) => ({ user })),
    default: !isPrivate && (channel.isTrue('is_general') || name === RANDOM),
  }
  for (const pin of channel.list('pins')) {
    const [time, user] = [timeOf(pin.text('id')), pin.text('user') || pin.text('owner')]
    const what = time === undefined ? pin.text('id') : `that of ${new Date(time).toISOString()}`
    yield {
      type: 'problem',
      kind: 'pinned message',
      detail: `#${name}: ${what}, by ${(await known.get('user', user)) || user}`,
    }
  }
}

/** Returns the purpose and the topic of a channel as Markdown, in one line, where people and channels are text. */
function descriptionOf(channel: Payload, known: Known): Promise<string> {
  const names: SlackNames = {
    ...NO_NAMES,
    user: (id, label) => `@${escapeName(known.seen('user', id) || '') || label || escapeName(id)}`,
    channel: (id, label) => `#${escapeName(known.seen('channel', id) ?? '') || label || escapeName(id)}`,
  }
  const written = (key: string) => markdownOf(channel.text(key, 'value'), names)
  return known.lookingUp(() => described(written('purpose'), written('topic')))
}

/** Yields the records of a direct conversation, of two or more people. */
export async function* ofDirect(conversation: Payload, known: Known): AsyncGenerator<NeutralRecord> {
  const id = conversation.text('id')
  const name = conversation.text('name')
  const named = id === '' ? [] : await membersInName(name, known)
  const members = membersOf(conversation).length > 0 ? membersOf(conversation) : named
  if (id === '' || members.length === 0) {
    yield { type: 'problem', kind: 'direct conversation without people', detail: id || name }
    return
  }
  for (const member of members) yield* ofUnlisted(member, NOTHING, '', known)
  for (const folder of [name, id]) {
    if (folder !== '') await putConversation(folder, { id, isDirect: true, isPrivate: true, members }, known)
  }
}

const NOTHING = new Payload(undefined)

function membersOf(conversation: Payload): string[] {
  const ids = conversation.list('members').map((member) => member.text())
  return [...new Set(ids.filter((id) => id !== '' && id.length <= 200))].slice(0, MAX_MEMBERS)
}

/** Returns the people in a name such as `mpdm-ada--ben--eve-1`. */
async function membersInName(name: string, known: Known): Promise<string[]> {
  const names = /^mpdm-(.+)-\d+$/.exec(name.slice(0, 500))?.[1]?.split('--') ?? []
  const ids = await Promise.all(names.map((each) => known.get('name', each)))
  return ids.filter((id) => id !== undefined)
}

/** Returns the milliseconds of a time in seconds, which may be a number or a text; undefined for an invalid one. */
export function timeOf(seconds: string): number | undefined {
  const time = /^\d{1,10}(?:\.\d{1,9})?$/.test(seconds) ? Number(seconds) * 1_000 : undefined
  return isTime(time) ? time : undefined
}

/** A channel, or the people of a direct conversation. */
export interface Conversation {
  readonly id: string
  readonly isDirect: boolean
  readonly isPrivate: boolean
  readonly members: readonly string[]
}

/** Returns the conversation of a folder. */
export async function conversationOf(folder: string, known: Known): Promise<Conversation | undefined> {
  const text = await known.get('folder', folder)
  return text === undefined ? undefined : (parseJson(text) as Conversation)
}

/** Returns the people of a direct conversation, as `putConversation` has stored it; undefined for anything else. */
export function peopleIn(stored: string | undefined): readonly string[] | undefined {
  if (stored === undefined) return undefined
  const { isDirect, members } = parseJson(stored) as Conversation
  return isDirect ? members : undefined
}

export async function putConversation(
  folder: string,
  conversation: Conversation,
  known: Known,
): Promise<void> {
  await known.put('folder', folder, JSON.stringify(conversation))
}
