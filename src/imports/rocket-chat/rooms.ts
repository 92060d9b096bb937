/** People, teams, rooms and emoji of a Rocket.Chat database. */
import type { Payload } from '../../integrations/payload.ts'
import type { Known } from '../known.ts'
import type { ChannelMember, NeutralRecord, RecordOf } from '../neutral.ts'
import { push } from '../server-texts.ts'
import { ownTopic } from '../slack/topics.ts'
import { described } from '../texts.ts'

const MAX_MEMBERSHIPS = 2_000_000
/** People of a room with unread messages: one more than are kept, so that the import lists the message (docs/import.md). */
const MAX_BEHIND = 1_001
/** People of a direct conversation. */
const MAX_PEOPLE = 300
const [CHANNEL, PRIVATE, DIRECT] = ['c', 'p', 'd'] as const

/** The destination of a room's messages, and who has not read the newest of them. It is stored as JSON. */
export interface RoomPlace {
  readonly channel?: string
  /** The topic of a discussion. */
  readonly topic?: string
  readonly to?: readonly string[]
  /** People, with the time in milliseconds until which they have read. */
  readonly behind: readonly (readonly [user: string, until: number])[]
}

interface Subscription extends ChannelMember {
  /** Time until which messages are read; undefined if none is unread. */
  readonly readUntil: number | undefined
}

/** Collects rooms and subscriptions until all are known, since they refer to each other in any order. */
export class Head {
  private readonly known: Known
  private readonly rooms = new Map<string, Payload>()
  private readonly subscriptions = new Map<string, Subscription[]>()
  /** Members by the rooms that their accounts name, for dumps without subscriptions. */
  private readonly named = new Map<string, Subscription[]>()
  private readonly fields = new Set<string>()
  private memberships = 0

  constructor(known: Known) {
    this.known = known
  }

  async *take(kind: string, row: Payload): AsyncGenerator<NeutralRecord> {
    if (kind === 'avatars') yield* this.takeAvatar(row)
    else if (kind === 'users') {
      this.noteRooms(row)
      yield* ofUser(row, this.fields, this.known)
    } else if (kind === 'subscriptions') yield* this.takeSubscription(row)
    else if (kind === 'emoji') yield* this.ofEmoji(row)
    else if (kind === 'rooms' && row.text('_id') !== '') this.rooms.set(row.text('_id').slice(0, 200), row)
    else if (kind === 'rooms') yield { type: 'problem', kind: 'channel without an id or a name' }
  }

  private async *takeAvatar(row: Payload): AsyncGenerator<NeutralRecord> {
    if (row.text('_id') === '') return yield { type: 'problem', kind: 'picture without an id' }
    const at = await this.known.get('upload', row.text('_id'))
    if (at !== undefined) await this.known.put('avatar', row.text('userId'), at)
  }

  private noteRooms(user: Payload): void {
    const id = user.text('_id')
    if (id === '' || id.length > 200) return
    for (const room of user.list('__rooms')) {
      if (room.text() === '' || this.memberships >= MAX_MEMBERSHIPS) continue
      this.memberships += 1
      push(this.named, room.text(), { user: id, readUntil: undefined })
    }
  }

  private subscribersOf(room: string): readonly Subscription[] {
    return this.subscriptions.get(room) ?? this.named.get(room) ?? []
  }

  private *takeSubscription(row: Payload): Generator<NeutralRecord> {
    const [room, user] = [row.text('rid'), row.text('u', '_id')]
    if (room === '' || user === '')
      return yield { type: 'problem', kind: 'subscription without a room or a user' }
    if (user.length > 200 || this.memberships >= MAX_MEMBERSHIPS) return
    this.memberships += 1
    const isBehind = row.isTrue('alert') || (row.number('unread') ?? 0) > 0
    push(this.subscriptions, room, {
      user,
      ...(row.isTrue('f') && { pinned: true }),
      ...(row.isTrue('disableNotifications') && { muted: true }),
      readUntil: isBehind ? (row.number('ls') ?? row.number('ts') ?? 0) : undefined,
    })
  }

  private async *ofEmoji(row: Payload): AsyncGenerator<NeutralRecord> {
    const name = row.text('name')
    const file = `${name}.${row.text('extension')}`
    const path =
      (await this.known.get('upload', file)) ?? (await this.known.get('upload', encodeURIComponent(file)))
    if (name === '' || path === undefined)
      return yield { type: 'problem', kind: 'emoji without a picture', detail: name }
    const image = `emoji:${name}`.slice(0, 200)
    yield { type: 'file', id: image, name: file.slice(0, 1_000), path }
    for (const each of [name, ...row.list('aliases').map((alias) => alias.text())])
      if (each !== '') {
        await this.known.put('emoji', each, 'made')
        yield { type: 'emoji', id: each.slice(0, 200), name: each.slice(0, 1_000), image }
      }
  }

  /** Yields the channels, and notes the destinations of all rooms' messages. */
  async *end(): AsyncGenerator<NeutralRecord> {
    const teams = new Map<string, string>()
    for (const room of this.rooms.values()) {
      const team = room.text('teamId')
      if (!room.isTrue('teamMain') || team === '') continue
      const name = nameOf(room)
      teams.set(team, name)
      yield { type: 'channel_folder', id: team.slice(0, 200), name: name.slice(0, 1_000), description: '' }
    }
    const names = new Set<string>()
    // Discussions come after the rooms of which they may be topics.
    const rooms = [...this.rooms.values()].sort(
      (one, other) => Number(one.text('prid') !== '') - Number(other.text('prid') !== ''),
    )
    for (const room of rooms) yield* this.ofRoom(room, names, teams)
  }

  private async *ofRoom(
    room: Payload,
    names: Set<string>,
    teams: ReadonlyMap<string, string>,
  ): AsyncGenerator<NeutralRecord> {
    const id = room.text('_id').slice(0, 200)
    const type = room.text('t')
    if (type === DIRECT) return yield* this.ofDirect(id, room)
    if (type !== CHANNEL && type !== PRIVATE) {
      await this.known.put('recipient', id, '')
      return yield { type: 'problem', kind: type === 'l' ? 'left out: live chat' : `left out: room ${type}` }
    }
    const parent = this.parentOf(room)
    if (parent !== undefined) {
      const topic = await ownTopic(parent, nameOf(room) || 'Discussion', this.known)
      return this.putPlace(id, { channel: parent, topic })
    }
    const given = nameOf(room) || id
    // Several rooms may have the same display name.
    const name = names.has(given.toLowerCase()) ? room.text('name').trim() || `${given} (${id})` : given
    names.add(name.toLowerCase())
    if (room.text('name') !== '') await this.known.put('room', room.text('name').toLowerCase(), id)
    await this.known.put('channel', id, name.slice(0, 200))
    await this.putPlace(id, { channel: id })
    const created = room.number('ts')
    const creator = room.text('u', '_id')
    const team = room.text('teamId')
    if (room.isTrue('encrypted')) yield { type: 'problem', kind: 'encrypted room', detail: name }
    yield {
      type: 'channel',
      id,
      name: name.slice(0, 1_000),
      description: described(room.text('description'), room.firstText('topic', 'announcement')),
      privacy: type === PRIVATE ? 'private' : 'public',
      history_public: true,
      archived: room.isTrue('archived'),
      ...(teams.has(team) && { folder: team.slice(0, 200) }),
      ...(created !== undefined && created > 0 && { created_ms: created }),
      ...(creator !== '' && (await this.known.get('user', creator)) !== undefined && { creator }),
      members: this.subscribersOf(id).map(({ readUntil: _, ...member }) => member),
      default: room.isTrue('default') && type === CHANNEL,
      announce: room.isTrue('ro'),
    }
  }

  /** Returns the room in which a discussion becomes a topic: one of the same privacy, which all readers of a private discussion can read. */
  private parentOf(room: Payload): string | undefined {
    const parent = this.rooms.get(room.text('prid'))
    if (!parent || parent.text('t') !== room.text('t') || parent.text('prid') !== '') return undefined
    const id = parent.text('_id').slice(0, 200)
    if (room.text('t') === CHANNEL) return id
    const members = new Set(this.peopleOf(id))
    return this.peopleOf(room.text('_id')).every((user) => members.has(user)) ? id : undefined
  }

  private peopleOf(room: string): string[] {
    return this.subscribersOf(room).map(({ user }) => user)
  }

  private async *ofDirect(id: string, room: Payload): AsyncGenerator<NeutralRecord> {
    const ids = room.list('uids').map((user) => user.text())
    for (const name of ids.length > 0 ? [] : room.list('usernames')) {
      const user = await this.known.get('name', name.text().toLowerCase())
      if (user !== undefined) ids.push(user)
    }
    const people = ids.length > 0 ? ids : this.peopleOf(id)
    const to = [...new Set(people.filter((user) => user !== '' && user.length <= 200))].slice(0, MAX_PEOPLE)
    if (to.length === 0)
      return yield { type: 'problem', kind: 'direct conversation without people', detail: id }
    await this.known.put('direct', id, to.join(','))
    await this.putPlace(id, { to })
  }

  private async putPlace(id: string, place: Omit<RoomPlace, 'behind'>): Promise<void> {
    const behind = this.subscribersOf(id).flatMap(({ user, readUntil }) =>
      readUntil === undefined ? [] : [[user.slice(0, 40), readUntil] as const],
    )
    await this.known.put('recipient', id, JSON.stringify({ ...place, behind: behind.slice(0, MAX_BEHIND) }))
  }
}

function nameOf(room: Payload): string {
  return room.firstText('fname', 'name').trim()
}

// People and bots.

/** UTF-16 units of a value of a short profile field, and of any value. */
const [SHORT_VALUE, MAX_VALUE] = [50, 10_000] as const
const MAX_FIELDS = 20
/** Types of accounts that are not people. */
const BOTS: ReadonlySet<string> = new Set(['bot', 'app'])

/** Yields the records of an account. `fields`: profile fields that have a record. */
async function* ofUser(user: Payload, fields: Set<string>, known: Known): AsyncGenerator<NeutralRecord> {
  const id = user.text('_id')
  const name = user.firstText('name', 'username').trim()
  if (id === '' || id.length > 200 || name === '')
    return yield { type: 'problem', kind: 'person without an id or a name', detail: name || id.slice(0, 200) }
  await known.put('user', id, name)
  if (user.text('username') !== '') await known.put('name', user.text('username').toLowerCase(), id)
  const profile: { field: string; value: string }[] = []
  const custom = user.entries('customFields').map(([key, value]) => [key, value.text()] as const)
  for (const [key, given] of [['Bio', user.text('bio')] as const, ...custom].slice(0, MAX_FIELDS)) {
    const value = given.trim().slice(0, MAX_VALUE)
    const field = key.trim().slice(0, 100)
    if (value === '' || field === '') continue
    if (!fields.has(field)) {
      fields.add(field)
      const isLong = field === 'Bio' || value.length > SHORT_VALUE
      yield { type: 'profile_field', id: `field:${field}`, name: field, kind: isLong ? 'long' : 'short' }
    }
    profile.push({ field: `field:${field}`, value })
  }
  const path = await known.get('avatar', id)
  const avatar = path === undefined ? undefined : `avatar:${id}`.slice(0, 200)
  if (avatar !== undefined) yield { type: 'file', id: avatar, name: 'avatar', path: path!, owner: id }
  const roles = user.list('roles').map((role) => role.text())
  const isBot = BOTS.has(user.text('type')) || roles.includes('bot')
  // People of other servers, who take part in federated rooms.
  const isOfOthers = user.isTrue('federated')
  const joined = user.number('createdAt')
  const status = user.text('statusText').trim()
  yield {
    type: 'user',
    id,
    full_name: name.slice(0, 1_000),
    email: (!isOfOthers && user.text('emails', 0, 'address').trim()) || null,
    role: isOfOthers ? 'guest' : roleOf(roles),
    is_bot: isBot,
    deactivated: isOfOthers || isBot || user.at('active').raw === false,
    ...(avatar !== undefined && { avatar }),
    ...(joined !== undefined && joined > 0 && { joined_ms: joined }),
    ...(profile.length > 0 && { profile }),
    ...(status && { status: status.slice(0, 1_000) }),
  }
}

function roleOf(roles: readonly string[]): RecordOf<'user'>['role'] {
  if (roles.includes('admin')) return 'owner'
  return roles.includes('guest') || roles.includes('anonymous') ? 'guest' : 'member'
}
