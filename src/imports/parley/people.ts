/** People and groups of an organization here, and where their pictures are in the archive. */
import { parseJson } from '../../core/json.ts'
import { lookUp, Payload } from '../../integrations/payload.ts'
import { USER_GROUP_SETTINGS } from '../../rules/group-settings.ts'
import type { Known } from '../import-reader.ts'
import type { JsonItem } from '../json-items.ts'
import type { NeutralRecord, RecordOf } from '../neutral.ts'
import { EMAIL_VISIBILITIES, statusIn } from '../server-texts.ts'
import { permissionsIn } from './channels.ts'

const ROLES: Readonly<Record<number, RecordOf<'user'>['role']>> = {
  100: 'owner',
  200: 'administrator',
  300: 'moderator',
  400: 'member',
  600: 'guest',
}
const CHOICE = 3

/** Remembers where a picture is. */
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

/** A file of people: their statuses come before them. */
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
    // What most people have chosen is not in an archive: no more people than had to may see an address.
    email_visibility: EMAIL_VISIBILITIES[(await known.get('visibility', id)) ?? ''] ?? 'administrators',
    role: ROLES[user.number('role') ?? 400] ?? 'member',
    is_bot: user.isTrue('is_bot'),
    deactivated: user.at('is_active').raw === false,
    ...(owner !== '' && { bot_owner: owner }),
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
    const chosen = stored.number('type') === CHOICE ? choiceIn(stored.text('data'), value) : value
    profile.push({ field, value: chosen })
  }
  return profile
}

/** Returns what a choice is called. */
function choiceIn(data: string, value: string): string {
  try {
    return new Payload(parseJson(data)).text(value, 'text') || value
  } catch {
    return value
  }
}

/** Groups that people have made. Those of the system are here too. */
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

/** Units of a text that are read. */
const MAX_TEXT = 1_000_000

/** Records, or work without any. */
type Taking = AsyncGenerator<NeutralRecord> | Promise<void>

/** What makes records of the items of one file. */
export interface Taker {
  /** Takes an item of a list, or what is no list: `list` is its key, `entry` the item's number, and `bytes` the length of its text. */
  take(list: string, row: Payload, entry: number, bytes: number): Taking
  /** Makes what is known when all items were taken. */
  end?(): Taking
}

/** A taker that makes the records of each row by itself. */
export function eachRow(records: (row: Payload) => AsyncGenerator<NeutralRecord>): Taker {
  return { take: (_, row) => records(row) }
}

/** What items of lists must have: keys of an object, or, where there are none, a text or a number. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
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

/** Returns what is wrong with an item that lacks what its list is about; undefined for one that says something. */
function lackOf(list: string, row: Payload): string | undefined {
  const keys = lookUp(REQUIRED, list)
  if (keys?.length === 0) return row.text() === '' ? `item of ${list}` : undefined
  const key = keys?.find((one) => row.text(one) === '')
  return key === undefined ? undefined : `item of ${list} without ${key}`
}

/** Yields the records of all items. */
export async function* takeAll(items: AsyncIterable<JsonItem>, taker: Taker): AsyncGenerator<NeutralRecord> {
  for await (const { list, number: entry, bytes = 0, value, fault } of items) {
    const row = new Payload(value, MAX_TEXT)
    const lack = fault === undefined ? lackOf(list, row) : undefined
    if (fault !== undefined) yield { type: 'problem', kind: 'not readable', detail: fault, entry }
    else if (lack !== undefined) yield { type: 'problem', kind: 'bad row', detail: lack, entry }
    // A problem of an earlier item has its own entry.
    else
      for await (const record of recordsOf(taker.take(list, row, entry, bytes)))
        yield record.type === 'problem' ? { entry, ...record } : record
  }
  yield* recordsOf(taker.end?.())
}

async function* recordsOf(taking: Taking | undefined): AsyncGenerator<NeutralRecord> {
  if (!taking) return
  if (taking instanceof Promise) await taking
  else yield* taking
}

/** Returns milliseconds of a date in ISO 8601; undefined for what is none. */
function timeOf(date: string): number | undefined {
  const time = Date.parse(date)
  return time > 0 ? time : undefined
}
