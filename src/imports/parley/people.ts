/** People, groups and pictures of an organization here. */
import { parseJson } from '../../core/json.ts'
import { Payload } from '../../integrations/payload.ts'
import { USER_GROUP_SETTINGS } from '../../rules/group-settings.ts'
import type { JsonItem } from '../json-items.ts'
import type { Known } from '../known.ts'
import type { NeutralRecord, RecordOf } from '../neutral.ts'
import { lackOf, placed, type RequiredKeys, unreadable } from '../problems.ts'
import { botKindIn, EMAIL_VISIBILITIES, ROLES, statusIn, valueOfField } from '../server-texts.ts'
import { permissionsIn } from './channels.ts'

/** Notes the path of a picture. */
export async function* takePicture(picture: Payload, known: Known): AsyncGenerator<NeutralRecord> {
  const at = await known.get('upload', picture.text('name'))
  if (at === undefined) {
    yield { type: 'problem', kind: 'file is not in the archive', detail: picture.text('name') }
    return
  }
  const kind = picture.text('kind')
  if (kind === 'avatar') await known.put('avatar', picture.text('user_id'), at)
  else if (kind === 'emoji') await known.put('emoji', picture.text('emoji_id'), at)
  else if (/^(?:icon|logo|night_logo)$/.test(kind)) await known.put('realm', kind, at)
  else yield { type: 'problem', kind: `left out: ${kind}` }
}

/** A file of people, preceded by their statuses. */
export class PeopleTaker implements Taker {
  private readonly known: Known
  private readonly statuses = new Map<string, Payload>()

  constructor(known: Known) {
    this.known = known
  }

  async *take(list: string, row: Payload): AsyncGenerator<NeutralRecord> {
    if (list !== 'user_status') yield* ofMember(row, this.known, this.statuses.get(row.text('user_id')))
    else for (const [id, status] of row.entries()) this.statuses.set(id, status)
  }
}

/** Yields the records of a person or bot. */
async function* ofMember(
  user: Payload,
  known: Known,
  status: Payload | undefined,
): AsyncGenerator<NeutralRecord> {
  const id = user.text('user_id')
  const fullName = user.text('full_name')
  if (id === '' || fullName === '') {
    yield { type: 'problem', kind: 'person without an id or a name', detail: fullName || id }
    return
  }
  await known.put('user', id, fullName.slice(0, 200))
  if (user.isTrue('is_system_bot')) {
    yield { type: 'user', id, full_name: fullName, email: null, is_bot: true, is_system_bot: true }
    return
  }
  const avatar = await known.get('avatar', id)
  if (avatar !== undefined)
    yield { type: 'file', id: `avatar:${id}`, name: 'avatar', path: avatar, owner: id }
  const joined = timeOf(user.text('date_joined'))
  const profile = await profileOf(user, known)
  const owner = user.text('bot_owner_id')
  yield {
    type: 'user',
    id,
    full_name: fullName,
    email: user.text('delivery_email') || null,
    // The archive does not say what most people have chosen, so only those who must see the address do.
    email_visibility: EMAIL_VISIBILITIES[(await known.get('visibility', id)) ?? ''] ?? 'administrators',
    role: ROLES[user.number('role') ?? 400] ?? 'member',
    is_bot: user.isTrue('is_bot'),
    deactivated: user.at('is_active').raw === false,
    ...(owner !== '' && { bot_owner: owner }),
    ...botKindIn(user),
    ...(user.text('timezone') !== '' && { timezone: user.text('timezone') }),
    ...(avatar !== undefined && { avatar: `avatar:${id}` }),
    ...(joined !== undefined && { joined_ms: joined }),
    ...(profile.length > 0 && { profile }),
    ...(status && statusIn(status)),
  }
}

async function profileOf(user: Payload, known: Known): Promise<NonNullable<RecordOf<'user'>['profile']>> {
  const profile: NonNullable<RecordOf<'user'>['profile']> = []
  for (const [field, entry] of user.entries('profile_data')) {
    const value = entry.text('value')
    const text = await known.get('field', field)
    if (value === '' || text === undefined) continue
    const stored = new Payload(parseJson(text), 50_000)
    const type = stored.number('type') ?? 0
    profile.push({ field, value: valueOfField(type, stored.text('data'), value) })
  }
  return profile
}

/** Groups that people have made; system groups exist here already. */
export class GroupTaker implements Taker {
  private readonly groups: Payload[] = []

  async take(_: string, row: Payload): Promise<void> {
    if (!row.isTrue('is_system_group')) this.groups.push(row)
  }

  async *end(): AsyncGenerator<NeutralRecord> {
    const made = new Set(this.groups.map((group) => group.text('id')))
    for (const group of this.groups) {
      const subgroups = group.list('direct_subgroup_ids').map((id) => id.text())
      yield {
        type: 'group',
        id: group.text('id'),
        name: group.text('name'),
        description: group.text('description'),
        members: group.list('members').map((id) => id.text()),
        subgroups: subgroups.filter((id) => made.has(id)),
        deactivated: group.isTrue('deactivated'),
        permissions: permissionsIn(group, USER_GROUP_SETTINGS),
      }
    }
  }
}

/** UTF-16 units of a text that are read. */
const MAX_TEXT = 1_000_000

/** Records, or work that yields none. */
type Taking = AsyncGenerator<NeutralRecord> | Promise<void>

/** Makes records of the items of one file. */
export interface Taker {
  /** Takes an item of a list, or a value that is no list: `list` is the key, `entry` the item's number, and `bytes` the length of its JSON. */
  take(list: string, row: Payload, entry: number, bytes: number): Taking
  /** Makes what depends on all items. */
  end?(): Taking
}

/** A taker that makes the records of each row separately. */
export function eachRow(records: (row: Payload) => AsyncGenerator<NeutralRecord>): Taker {
  return { take: (_, row) => records(row) }
}

const REQUIRED: RequiredKeys = {
  user_groups: ['id', 'name'],
  subscriptions: ['stream_id', 'user_id'],
  custom_profile_fields: ['id', 'name'],
  channel_folders: ['id', 'name'],
  realm_linkifiers: ['pattern', 'url_template'],
  realm_playgrounds: ['name', 'url_template'],
  realm_domains: ['domain'],
  realm_default_stream_groups: ['name'],
  realm_default_streams: [],
  starred_messages: [],
  unread_messages: [],
  alert_words: [],
  user_topics: ['stream_id'],
  muted_users: ['id'],
  saved_snippets: ['id', 'title'],
  drafts: ['id'],
  scheduled_messages: ['scheduled_message_id', 'content', 'scheduled_delivery_timestamp'],
  reminders: ['reminder_id', 'reminder_target_message_id', 'scheduled_delivery_timestamp'],
  navigation_views: ['fragment'],
}

/** Yields the records of all items. */
export async function* takeAll(items: AsyncIterable<JsonItem>, taker: Taker): AsyncGenerator<NeutralRecord> {
  for await (const { list, number: entry, bytes = 0, value, fault } of items) {
    const row = new Payload(value, MAX_TEXT)
    const lack = fault === undefined ? lackOf(REQUIRED, list, row) : undefined
    if (fault !== undefined) yield unreadable(fault, { entry })
    else if (lack !== undefined) yield { type: 'problem', kind: 'bad row', detail: lack, entry }
    else yield* placed(recordsOf(taker.take(list, row, entry, bytes)), { entry })
  }
  yield* recordsOf(taker.end?.())
}

async function* recordsOf(taking: Taking | undefined): AsyncGenerator<NeutralRecord> {
  if (!taking) return
  if (taking instanceof Promise) await taking
  else yield* taking
}

/** Returns the milliseconds of a date in ISO 8601; undefined for an invalid one. */
function timeOf(date: string): number | undefined {
  const time = Date.parse(date)
  return time > 0 ? time : undefined
}
