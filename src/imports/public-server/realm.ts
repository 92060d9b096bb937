/** The tables of realm.json: people, groups, channels and their data. */
import { lookUp, Payload } from '../../integrations/payload.ts'
import { CHANNEL_GROUP_SETTINGS, USER_GROUP_SETTINGS } from '../../rules/group-settings.ts'
import type { JsonItem } from '../json-items.ts'
import type { Known } from '../known.ts'
import type { ChannelMember, NeutralRecord, Permission, RecordOf } from '../neutral.ts'
import { lackOf, ofItems, type RequiredKeys } from '../problems.ts'
import {
  botKindIn,
  EMAIL_VISIBILITIES,
  fieldDetails,
  type IsOwn,
  POLICIES,
  push,
  ROLES,
  rewritten,
  statusIn,
  valueOfField,
  viewOf,
} from '../server-texts.ts'
import { MessageLists } from '../stored-lists.ts'
import {
  defaultsIn,
  notificationsIn,
  ofChannel,
  ofOrganization,
  settingsOf,
  userSettingsIn,
} from './settings.ts'

const MAX_ROWS = 2_000_000
/** Characters of the rows that wait for the people, bots and channels that they name. */
const MAX_WAITING = 8_000_000
/** Users who were away for long and whose unread messages come over: each channel lists them. */
const MAX_IDLE = 1_000
const [TO_PERSON, TO_CHANNEL, TO_GROUP] = [1, 2, 3] as const
/** The type of scheduled messages that are reminders. */
const REMINDER = 2
/** Tables that are ignored, because they have nothing that people have written or set. */
const IGNORED =
  /^(?:zerver_(?:realmauditlog|useractivity|useractivityinterval|userpresence|presencesequence|client|realmexport|onboardingusermessage|onboardingstep|huddle|realmauthenticationmethod)|import_source|sort_by_date|analytics_.*)$/

export const REACTIONS = 'zerver_reaction'

/** Names of the system bots, here as there, by the local parts of their addresses. */
const SYSTEM_BOTS: Readonly<Record<string, string>> = {
  'notification-bot': 'Notification Bot',
  'welcome-bot': 'Welcome Bot',
  emailgateway: 'Email Gateway',
}

const REQUIRED: RequiredKeys = {
  zerver_userprofile: ['id'],
  zerver_userprofile_mirrordummy: ['id'],
  zerver_userprofile_crossrealm: ['id', 'email'],
  zerver_recipient: ['id', 'type_id'],
  zerver_subscription: ['recipient', 'user_profile'],
  zerver_stream: ['id', 'name'],
  zerver_defaultstream: ['stream'],
  zerver_namedusergroup: ['name'],
  zerver_usergroupmembership: ['user_group', 'user_profile'],
  zerver_groupgroupmembership: ['supergroup', 'subgroup'],
  zerver_reaction: ['message', 'user_profile', 'emoji_name'],
  zerver_userstatus: ['user_profile'],
  zerver_customprofilefield: ['id', 'name'],
  zerver_customprofilefieldvalue: ['user_profile', 'field'],
  zerver_channelfolder: ['id', 'name'],
  zerver_realmfilter: ['pattern', 'url_template'],
  zerver_realmplayground: ['name'],
  zerver_usertopic: ['user_profile', 'stream'],
  zerver_alertword: ['user_profile', 'word'],
  zerver_muteduser: ['user_profile', 'muted_user'],
  zerver_savedsnippet: ['id', 'user_profile', 'title'],
  zerver_realmuserdefault: ['id'],
  zerver_realmdomain: ['domain'],
  zerver_navigationview: ['user_profile', 'fragment'],
  zerver_scheduledmessage: ['id', 'sender', 'recipient', 'scheduled_timestamp'],
  zerver_service: ['user_profile', 'base_url'],
}

export function isIgnored(table: string): boolean {
  return IGNORED.test(table)
}

/** Yields those items that are in one list. */
export async function* onlyOf(list: string, items: AsyncIterable<JsonItem>): AsyncGenerator<JsonItem> {
  for await (const item of items) if (item.list === list) yield item
}

/** Notes the reactions among some rows. */
export async function* noteReactions(
  items: AsyncIterable<JsonItem>,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  const realm = new Realm(known)
  yield* ofItems(onlyOf(REACTIONS, items), ({ list, value }) => realm.take(list, new Payload(value)))
  await realm.storeReactions()
}

/** Collects rows until all tables are known, since they refer to each other in any order. */
export class Realm {
  private readonly known: Known
  private readonly users: Payload[] = []
  private readonly fields = new Map<string, { readonly type: number; readonly data: string }>()
  private readonly values = new Map<string, { field: string; value: string }[]>()
  private readonly statuses = new Map<string, Payload>()
  private readonly channels: Payload[] = []
  private readonly groups: Payload[] = []
  private readonly members = new Map<string, string[]>()
  private readonly subgroups = new Map<string, string[]>()
  private readonly recipients = new Map<string, readonly [type: number, id: string]>()
  private readonly subscriptions = new Map<string, ChannelMember[]>()
  /** All groups: those without a name are values of permissions. */
  private readonly groupIds = new Set<string>()
  /** The names of groups that every organization has, and the ids of others. */
  private readonly namedGroups = new Map<string, string>()
  private readonly defaults = new Set<string>()
  private readonly unknown = new Set<string>()
  private readonly scheduled: Payload[] = []
  private readonly services: Payload[] = []
  private readonly reactions: MessageLists
  private realm: Payload | undefined
  private userDefaults: Payload | undefined
  private announcements = ''
  private rows = 0
  private waiting = 0

  constructor(known: Known) {
    this.known = known
    this.reactions = new MessageLists('reactions', known)
  }

  async *take(table: string, row: Payload): AsyncGenerator<NeutralRecord> {
    this.rows += 1
    const lack = lackOf(REQUIRED, table, row)
    if (lack !== undefined) return yield { type: 'problem', kind: 'bad row', detail: lack }
    switch (table) {
      case 'zerver_realm':
        this.announcements = row.text('new_stream_announcements_stream') || row.text('notifications_stream')
        await this.known.put('realm', 'host', row.text('string_id'))
        if (row.entries().length > 0) this.realm ??= row
        return
      case 'zerver_realmuserdefault':
        this.userDefaults ??= row
        return
      case 'zerver_scheduledmessage':
        if (!row.isTrue('delivered')) yield* this.waitWith(this.scheduled, table, row)
        return
      case 'zerver_service':
        yield* this.waitWith(this.services, table, row)
        return
      case 'zerver_userprofile':
      case 'zerver_userprofile_mirrordummy':
        this.users.push(row)
        return
      case 'zerver_userprofile_crossrealm':
        yield await this.botOf(row)
        return
      case 'zerver_recipient':
        this.recipients.set(row.text('id'), [row.number('type') ?? 0, row.text('type_id')])
        return
      case 'zerver_subscription':
        this.takeSubscription(row)
        return
      case 'zerver_stream':
        this.channels.push(row)
        return
      case 'zerver_defaultstream':
        this.defaults.add(row.text('stream'))
        return
      case 'zerver_usergroup':
        this.groupIds.add(row.text('id'))
        return
      case 'zerver_namedusergroup': {
        const id = idOfGroup(row)
        this.groups.push(row)
        this.namedGroups.set(id, row.isTrue('is_system_group') ? row.text('name') : id)
        return
      }
      case 'zerver_usergroupmembership':
        push(this.members, row.text('user_group'), row.text('user_profile'))
        return
      case 'zerver_groupgroupmembership':
        push(this.subgroups, row.text('supergroup'), row.text('subgroup'))
        return
      case REACTIONS:
        await this.takeReaction(row)
        return
      case 'zerver_userstatus':
        this.statuses.set(row.text('user_profile'), row)
        return
      case 'zerver_customprofilefieldvalue':
        push(this.values, row.text('user_profile'), { field: row.text('field'), value: row.text('value') })
        return
      default:
        yield* this.takeOther(table, row)
    }
  }

  private *waitWith(rows: Payload[], table: string, row: Payload): Generator<RecordOf<'problem'>> {
    this.waiting += JSON.stringify(row.raw).length
    if (this.waiting <= MAX_WAITING) rows.push(row)
    else yield { type: 'problem', kind: `no room for more rows: ${table}` }
  }

  /** Returns the record of a system bot. */
  private async botOf(bot: Payload): Promise<NeutralRecord> {
    const [address = ''] = bot.text('email').split('@', 1)
    const name = lookUp(SYSTEM_BOTS, address)
    await this.known.put('user', bot.text('id'), (name ?? address).slice(0, 200))
    return {
      type: 'user',
      id: bot.text('id'),
      full_name: name ?? address,
      email: null,
      is_bot: true,
      ...(name === undefined ? { deactivated: true } : { is_system_bot: true }),
    }
  }

  private *takeOther(table: string, row: Payload): Generator<NeutralRecord> {
    const user = row.text('user_profile')
    switch (table) {
      case 'zerver_channelfolder':
        return yield {
          type: 'channel_folder',
          id: row.text('id'),
          name: row.text('name'),
          description: row.text('description'),
        }
      case 'zerver_customprofilefield': {
        const type = row.number('field_type') ?? 0
        this.fields.set(row.text('id'), { type, data: row.text('field_data') })
        return yield { type: 'profile_field', id: row.text('id'), ...fieldDetails(row, type) }
      }
      case 'zerver_realmdomain':
        return yield {
          type: 'domain',
          domain: row.text('domain'),
          subdomains: row.isTrue('allow_subdomains'),
        }
      case 'zerver_navigationview':
        return yield viewOf(user, row)
      case 'zerver_realmfilter':
        return yield {
          type: 'linkifier',
          pattern: row.text('pattern'),
          url_template: row.text('url_template'),
        }
      case 'zerver_realmplayground':
        return yield {
          type: 'playground',
          name: row.text('name'),
          language: row.text('pygments_language'),
          url_template: row.text('url_template') || row.text('url_prefix'),
        }
      case 'zerver_usertopic': {
        const policy = POLICIES[row.number('visibility_policy') ?? 0]
        if (policy)
          yield {
            type: 'user_topic',
            user,
            channel: row.text('stream'),
            topic: row.text('topic_name'),
            policy,
          }
        return
      }
      case 'zerver_alertword':
        return yield { type: 'alert_word', user, word: row.text('word') }
      case 'zerver_muteduser':
        return yield { type: 'muted_user', user, muted: row.text('muted_user') }
      case 'zerver_savedsnippet':
        return yield {
          type: 'saved_snippet',
          id: row.text('id'),
          user,
          title: row.text('title'),
          content: row.text('content'),
        }
      default:
        if (isIgnored(table) || TAKEN_ELSEWHERE.has(table) || this.unknown.has(table)) return
        this.unknown.add(table)
        yield { type: 'problem', kind: `left out: ${table}` }
    }
  }

  private takeSubscription(row: Payload): void {
    if (row.at('active').raw === false || this.rows > MAX_ROWS) return
    const color = row.text('color')
    push(this.subscriptions, row.text('recipient'), {
      user: row.text('user_profile'),
      ...(color !== '' && { color }),
      ...(row.isTrue('is_muted') && { muted: true }),
      ...(row.isTrue('pin_to_top') && { pinned: true }),
      ...notificationsIn(row),
    })
  }

  /** Stores a reaction, since its message is in another file. */
  private async takeReaction(row: Payload): Promise<void> {
    const message = row.number('message')
    if (message === undefined) return
    const kind = row.text('reaction_type') === 'unicode_emoji' ? 'unicode' : 'custom'
    const emoji = [row.text('emoji_name').slice(0, 60), row.text('emoji_code').slice(0, 40)]
    await this.reactions.addTo(message, [row.text('user_profile').slice(0, 40), ...emoji, kind])
  }

  storeReactions(): Promise<void> {
    return this.reactions.store()
  }

  /** Yields the people, and then what refers to them. */
  async *end(): AsyncGenerator<NeutralRecord> {
    await this.storeReactions()
    // A bot may have several services, of which the first is called.
    const webhooks = new Map(this.services.toReversed().map((one) => [one.text('user_profile'), one]))
    for (const user of this.users) yield* this.ofUser(user, webhooks.get(user.text('id')))
    for (const group of this.groups) {
      const id = idOfGroup(group)
      if (group.isTrue('is_system_group') || group.isTrue('deactivated')) continue
      yield {
        type: 'group',
        id,
        name: group.text('name'),
        description: group.text('description'),
        members: this.members.get(id) ?? [],
        subgroups: this.subgroups.get(id) ?? [],
        ...this.permissionsOf(group, USER_GROUP_SETTINGS),
      }
    }
    const idle = new Map(this.users.flatMap(idleSince))
    const byChannel = new Map<string, ChannelMember[]>()
    for (const [recipient, [type, id]] of this.recipients) {
      const subscriptions = this.subscriptions.get(recipient) ?? []
      if (type === TO_CHANNEL) byChannel.set(id, subscriptions)
      const people =
        type === TO_PERSON ? [id] : type === TO_GROUP ? subscriptions.map(({ user }) => user) : []
      const behind = subscriptions.flatMap(({ user }) => {
        const last = type === TO_PERSON ? undefined : idle.get(user)
        return last === undefined || idle.size > MAX_IDLE ? [] : [[user, last]]
      })
      await this.known.put('recipient', recipient, JSON.stringify({ type, id, people, behind }))
    }
    for (const channel of this.channels)
      yield {
        ...ofChannel(channel, byChannel, this.defaults, this.announcements),
        ...this.permissionsOf(channel, CHANNEL_GROUP_SETTINGS),
      }
    if (this.realm) {
      yield* ofOrganization(this.realm, this.known)
      yield* settingsOf(this.realm, (group) => this.permissionOf(group))
    }
    if (this.userDefaults) yield* defaultsIn(this.userDefaults)
    for (const row of this.scheduled) yield await this.scheduledIn(row)
  }

  /** Returns a message or a reminder that is not sent yet. */
  private async scheduledIn(row: Payload): Promise<NeutralRecord> {
    const own = {
      id: row.text('id'),
      user: row.text('sender'),
      due_ms: (row.number('scheduled_timestamp') ?? 0) * 1_000,
    }
    if (row.number('delivery_type') === REMINDER) {
      const [message, note] = [row.text('reminder_target_message_id'), row.text('reminder_note')]
      if (message === '') return { type: 'problem', kind: 'left out: reminder', detail: own.id }
      return { type: 'reminder', ...own, message, ...(note !== '' && { note }) }
    }
    const place = this.placeOfScheduled(row)
    if (!place) return { type: 'problem', kind: 'bad row', detail: 'scheduled message to nobody' }
    const content = await rewritten(row.text('content'), await isOwnHost(this.known), this.known)
    return { type: 'scheduled_message', ...own, content, ...place, failed: row.isTrue('failed') }
  }

  private placeOfScheduled(row: Payload): { channel: string; topic: string } | { to: string[] } | undefined {
    const recipient = row.text('recipient')
    const [type, id = ''] = this.recipients.get(recipient) ?? []
    if (type === TO_CHANNEL) return { channel: id, topic: row.text('subject') }
    const people =
      type === TO_PERSON ? [id] : (this.subscriptions.get(recipient) ?? []).map(({ user }) => user)
    const others = people.filter((user) => user !== row.text('sender'))
    return people.length === 0 ? undefined : { to: others.length > 0 ? others : people }
  }

  /** Returns the permissions of these names that a row has, each with the id of a group. */
  private permissionsOf(
    row: Payload,
    settings: readonly { readonly name: string }[],
  ): { permissions?: Record<string, Permission> } {
    const found = settings.flatMap(({ name }) => {
      const permission = row.has(name) ? this.permissionOf(row.text(name)) : undefined
      return permission === undefined ? [] : [[name, permission] as const]
    })
    return found.length > 0 ? { permissions: Object.fromEntries(found) } : {}
  }

  /** Returns who has a permission; undefined for a group that the export lacks. */
  private permissionOf(id: string): Permission | undefined {
    const name = this.namedGroups.get(id)
    if (name !== undefined) return { groups: [name] }
    if (!this.groupIds.has(id)) return undefined
    const users = this.members.get(id) ?? []
    const groups = (this.subgroups.get(id) ?? []).map((group) => this.namedGroups.get(group) ?? group)
    return users.length + groups.length === 0 ? { groups: ['role:nobody'] } : { groups, users }
  }

  private async *ofUser(user: Payload, service: Payload | undefined): AsyncGenerator<NeutralRecord> {
    const id = user.text('id')
    await this.known.put('user', id, user.text('full_name').slice(0, 200))
    const avatar = user.text('avatar_source') === 'U' ? await this.known.get('avatar', id) : undefined
    if (avatar !== undefined)
      yield { type: 'file', id: `avatar:${id}`, name: 'avatar', path: avatar, owner: id }
    const email = user.text('delivery_email') || user.text('email')
    const joined = user.number('date_joined')
    const profile = this.values.get(id)?.map(({ field, value }) => {
      const { type = 0, data = '' } = this.fields.get(field) ?? {}
      return { field, value: valueOfField(type, data, value) }
    })
    const status = this.statuses.get(id)
    const visibility = EMAIL_VISIBILITIES[user.text('email_address_visibility')]
    yield {
      type: 'user',
      id,
      full_name: user.text('full_name') || `User ${id}`,
      email: email || null,
      ...(visibility && { email_visibility: visibility }),
      role: ROLES[user.number('role') ?? 400] ?? 'member',
      is_bot: user.isTrue('is_bot'),
      deactivated: user.at('is_active').raw === false || user.isTrue('is_mirror_dummy'),
      ...(user.text('bot_owner') !== '' && { bot_owner: user.text('bot_owner') }),
      ...botKindIn(user),
      ...(service && { webhook: webhookIn(service) }),
      ...(user.text('timezone') !== '' && { timezone: user.text('timezone') }),
      ...(avatar !== undefined && { avatar: `avatar:${id}` }),
      ...(joined !== undefined && joined > 0 && { joined_ms: joined * 1_000 }),
      ...(profile && { profile }),
      ...(status && statusIn(status)),
    }
    // The settings of a user who did not consent to the export are not the user's own.
    if (!this.userDefaults || user.isTrue('is_bot') || user.isTrue('is_mirror_dummy')) return
    yield { type: 'user_settings', user: id, settings: userSettingsIn(user, this.userDefaults) }
  }
}

/** Returns how to tell the host of the organization, of which an export has the first part alone, from others. */
export async function isOwnHost(known: Known): Promise<IsOwn> {
  const name = (await known.get('realm', 'host')) ?? ''
  return (host) => name !== '' && host.startsWith(`${name}.`)
}

/** Returns the last message of a user who was away for long: the export has no rows for the later ones, which are all unread. */
function idleSince(user: Payload): [id: string, lastMessage: number][] {
  const last = user.number('last_active_message_id')
  return user.isTrue('long_term_idle') && last !== undefined ? [[user.text('id'), last]] : []
}

const TAKEN_ELSEWHERE = new Set(['zerver_realmemoji'])

function idOfGroup(group: Payload): string {
  return group.text('usergroup_ptr') || group.text('id')
}

/** The format of another chat service, in which a webhook can be called. */
const FORM = 2

function webhookIn(service: Payload): RecordOf<'user'>['webhook'] {
  const token = service.text('token')
  return {
    url: service.text('base_url'),
    format: service.number('interface') === FORM ? 'form' : 'json',
    ...(token !== '' && { token }),
  }
}
