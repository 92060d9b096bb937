import { CHANNEL_PROPERTIES, CHANNEL_PROPERTY_NAMES } from '../../core/channel-properties.ts'
import { parseJson } from '../../core/json.ts'
import type { Payload } from '../../integrations/payload.ts'
import { CHANNEL_GROUP_SETTINGS } from '../../rules/group-settings.ts'
import { SYSTEM_GROUPS } from '../../rules/system-groups.ts'
import type { Known } from '../known.ts'
import type { ChannelMember, NeutralRecord, Permission } from '../neutral.ts'
import { PartedLists } from '../stored-lists.ts'

/** Yields the record of a channel with its subscribers, which were noted before. */
export async function* ofChannel(channel: Payload, known: Known): AsyncGenerator<NeutralRecord> {
  const id = channel.text('stream_id')
  const name = channel.text('name')
  if (id === '' || name === '') {
    yield { type: 'problem', kind: 'channel without an id or a name', detail: name || id }
    return
  }
  await known.put('channel', id, name.slice(0, 200))
  const isPrivate = channel.isTrue('invite_only')
  const created = channel.number('date_created')
  const creator = channel.text('creator_id')
  const folder = channel.text('folder_id')
  const retention = channel.number('message_retention_days')
  const defaults = parseJson((await known.get('realm', 'defaults')) ?? '[]') as readonly string[]
  yield {
    type: 'channel',
    id,
    name,
    description: channel.text('description'),
    privacy: isPrivate ? 'private' : channel.isTrue('is_web_public') ? 'web_public' : 'public',
    history_public: !isPrivate || channel.isTrue('history_public_to_subscribers'),
    archived: channel.isTrue('is_archived'),
    ...(folder !== '' && { folder }),
    ...(created !== undefined && created > 0 && { created_ms: created * 1_000 }),
    ...(creator !== '' && { creator }),
    members: await membersOf(id, known),
    default: defaults.includes(id),
    announce: (await known.get('realm', 'announcements')) === id,
    ...propertiesIn(channel),
    ...(retention !== undefined && { retention_days: retention }),
    permissions: permissionsIn(channel, CHANNEL_GROUP_SETTINGS),
  }
}

function propertiesIn(channel: Payload): Record<string, boolean | string> {
  return Object.fromEntries(
    CHANNEL_PROPERTY_NAMES.filter((name) => channel.has(name)).map((name) => [
      name,
      CHANNEL_PROPERTIES[name].schema.type === 'boolean' ? channel.isTrue(name) : channel.text(name),
    ]),
  )
}

async function membersOf(channel: string, known: Known): Promise<ChannelMember[]> {
  const members: ChannelMember[] = []
  for await (const { raw } of new PartedLists('subscribers', known).of(channel))
    members.push(raw as ChannelMember)
  return members
}

const NAME_OF_SYSTEM_GROUP: ReadonlyMap<string, string> = new Map(
  SYSTEM_GROUPS.map(({ id, name }) => [String(id), name]),
)

/** Returns the permissions of these names that a row has. */
export function permissionsIn(
  row: Payload,
  settings: readonly { readonly name: string }[],
): Record<string, Permission> {
  return Object.fromEntries(
    settings.filter(({ name }) => row.has(name)).map(({ name }) => [name, permissionOf(row.at(name))]),
  )
}

/** Returns who has a permission. A number is the id of a group; without groups and users, nobody has it. */
export function permissionOf(value: Payload): Permission {
  if (value.number() !== undefined) return { groups: [groupOf(value)] }
  const groups = value.list('direct_subgroups').map(groupOf)
  const users = value.list('direct_members').map((id) => id.text())
  return groups.length + users.length === 0
    ? { groups: ['role:nobody'] }
    : { ...(groups.length > 0 && { groups }), ...(users.length > 0 && { users }) }
}

function groupOf(id: Payload): string {
  return NAME_OF_SYSTEM_GROUP.get(id.text()) ?? id.text()
}
