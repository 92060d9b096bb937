/** The lines of a Mattermost export before its posts: teams, channels, people, bots and emoji. */
import type { Payload } from '../../integrations/payload.ts'
import type { Known } from '../known.ts'
import type { ChannelMember, NeutralRecord, RecordOf } from '../neutral.ts'
import { push } from '../server-texts.ts'
import { described } from '../texts.ts'

/** Members of all channels together. */
const MAX_MEMBERSHIPS = 2_000_000
const POSITION = 'position'

export function channelId(team: string, channel: string): string {
  return `${team}/${channel}`.slice(0, 200)
}

/** Collects channels until all people are known, since the records of people list their channels. */
export class Head {
  private readonly known: Known
  private readonly channels = new Map<string, RecordOf<'channel'>>()
  private readonly members = new Map<string, ChannelMember[]>()
  private readonly names = new Set<string>()
  private readonly teams = new Map<string, string>()
  private memberships = 0
  private hasPosition = false

  constructor(known: Known) {
    this.known = known
  }

  async *take(kind: string, line: Payload): AsyncGenerator<NeutralRecord> {
    if (kind === 'team') yield* this.takeTeam(line)
    else if (kind === 'channel') yield* this.takeChannel(line)
    else if (kind === 'user') yield* this.takeUser(line)
    else if (kind === 'bot') yield* this.takeBot(line)
    else if (kind === 'emoji') yield* this.takeEmoji(line)
  }

  /** Yields the channels with their members. */
  *end(): Generator<NeutralRecord> {
    for (const [id, channel] of this.channels) yield { ...channel, members: this.members.get(id) ?? [] }
  }

  private async *takeTeam(team: Payload): AsyncGenerator<NeutralRecord> {
    const name = team.text('name')
    if (name === '') return yield { type: 'problem', kind: 'team without a name' }
    const shown = team.text('display_name').trim() || name
    this.teams.set(name, shown)
    yield {
      type: 'channel_folder',
      id: name.slice(0, 200),
      name: shown.slice(0, 1_000),
      description: team.text('description'),
    }
  }

  private async *takeChannel(channel: Payload): AsyncGenerator<NeutralRecord> {
    const [team, name] = [channel.text('team'), channel.text('name')]
    if (team === '' || name === '') return yield { type: 'problem', kind: 'channel without a team or a name' }
    const id = channelId(team, name)
    const shown = channel.text('display_name').trim() || name
    // Each team has a "Town Square".
    const isFirst = !this.names.has(shown.toLowerCase())
    const own = isFirst ? shown : `${shown} (${this.teams.get(team) ?? team})`
    this.names.add(own.toLowerCase())
    await this.known.put('channel', id, own)
    this.channels.set(id, {
      type: 'channel',
      id,
      name: own.slice(0, 1_000),
      description: described(channel.text('purpose'), channel.text('header')),
      privacy: channel.text('type') === 'P' ? 'private' : 'public',
      history_public: true,
      archived: (channel.number('deleted_at') ?? 0) > 0,
      ...(this.teams.has(team) && { folder: team.slice(0, 200) }),
      default: name === 'town-square' || name === 'off-topic',
    })
  }

  private async *takeUser(user: Payload): AsyncGenerator<NeutralRecord> {
    const id = user.text('username').toLowerCase()
    if (id === '' || id.length > 200) return yield { type: 'problem', kind: 'person without a name' }
    const fullName =
      `${user.text('first_name')} ${user.text('last_name')}`.trim() ||
      user.text('nickname').trim() ||
      user.text('username')
    await this.known.put('user', id, fullName)
    const roles = [user.text('roles'), ...user.list('teams').map((team) => team.text('roles'))]
      .join(' ')
      .split(/\s+/)
    const position = user.text('position').trim()
    if (position !== '' && !this.hasPosition) {
      this.hasPosition = true
      yield { type: 'profile_field', id: POSITION, name: 'Position', kind: 'short' }
    }
    const avatar = await this.fileOf(user.text('profile_image'), `avatar:${id}`)
    if (avatar) yield avatar
    yield {
      type: 'user',
      id,
      full_name: fullName.slice(0, 1_000),
      email: user.text('email').trim() || null,
      role: roleOf(roles),
      deactivated: (user.number('delete_at') ?? 0) > 0,
      ...(avatar && { avatar: avatar.id }),
      ...(position !== '' && { profile: [{ field: POSITION, value: position }] }),
    }
    this.subscribe(id, user)
  }

  private subscribe(id: string, user: Payload): void {
    for (const team of user.list('teams')) {
      for (const channel of team.list('channels')) {
        if (this.memberships >= MAX_MEMBERSHIPS) return
        this.memberships += 1
        const key = channelId(team.text('name'), channel.text('name'))
        push(this.members, key, {
          user: id,
          ...(channel.isTrue('favorite') && { pinned: true }),
          ...(channel.text('notify_props', 'mark_unread') === 'mention' && { muted: true }),
        })
      }
    }
  }

  private async *takeBot(bot: Payload): AsyncGenerator<NeutralRecord> {
    const id = bot.text('username').toLowerCase()
    if (id === '' || id.length > 200) return yield { type: 'problem', kind: 'person without a name' }
    const fullName = bot.text('display_name').trim() || id
    await this.known.put('user', id, fullName)
    const owner = bot.text('owner').toLowerCase()
    yield {
      type: 'user',
      id,
      full_name: fullName.slice(0, 1_000),
      email: null,
      is_bot: true,
      deactivated: true,
      ...(owner !== '' && (await this.known.get('user', owner)) !== undefined && { bot_owner: owner }),
    }
  }

  private async *takeEmoji(emoji: Payload): AsyncGenerator<NeutralRecord> {
    const name = emoji.text('name')
    const image = await this.fileOf(emoji.text('image'), `emoji:${name}`.slice(0, 200))
    if (name === '' || !image) return yield { type: 'problem', kind: 'emoji without a picture', detail: name }
    await this.known.put('emoji', name, 'made')
    yield image
    yield { type: 'emoji', id: name.slice(0, 200), name: name.slice(0, 1_000), image: image.id }
  }

  private async fileOf(path: string, id: string): Promise<RecordOf<'file'> | undefined> {
    const at =
      path === '' ? undefined : await this.known.get('upload', path.replace(/^\.?\/?(?:data\/)?/, ''))
    return at === undefined
      ? undefined
      : { type: 'file', id, name: path.split('/').at(-1)!.slice(0, 1_000), path: at }
  }
}

function roleOf(roles: readonly string[]): RecordOf<'user'>['role'] {
  if (roles.includes('system_admin')) return 'owner'
  if (roles.includes('team_admin')) return 'administrator'
  return roles.includes('system_guest') || roles.includes('team_guest') ? 'guest' : 'member'
}
