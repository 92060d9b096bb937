/**
 * The largest sensible request of each operation that succeeds in a seeded organization: lists of everything, the channel that everybody is
 * in, the longest topic. Where size does not matter, it is the request of the table of permissions.
 */
import { type ApiClient, encodeFields, type ParameterValue } from '../scripts/api-client.ts'
import type { SeededOrganization, SeedSize } from '../scripts/seed-organization.ts'
import type { Endpoint } from '../src/api/define-endpoint.ts'
import { MAX_CHANNEL_SETTINGS } from '../src/api/input-limits.ts'
import { SeedPlan, seedTopic } from '../src/dev/seed/seed-plan.ts'
import { ENDPOINTS } from '../src/features/index.ts'
import { systemGroupId } from '../src/rules/system-groups.ts'
import { type REQUESTS, requestOf } from '../test/permission-matrix/requests.ts'
import { flatPng } from './made-pictures.ts'

/** The objects of the requests of the table of permissions. */
type Things = Parameters<(typeof REQUESTS)[string]>[1]

type Fields = Readonly<Record<string, ParameterValue>>

/** The organization, and the callers. */
export interface Stage {
  readonly size: SeedSize
  readonly seeded: SeededOrganization
  readonly owner: ApiClient
  /** A member of every channel that is open to full members. */
  readonly member: ApiClient
}

/** A request: its caller, and its parameters, including those in the path. */
interface Made {
  readonly by?: ApiClient
  readonly fields?: Fields
  readonly picture?: Uint8Array<ArrayBuffer>
}

export interface ValidRequest {
  readonly name: string
  /** Prepares the request, which is not measured, and returns it. */
  prepare(): Promise<() => Promise<Response>>
}

/** Operations without such a request, each with the reason. */
export const WITHOUT_VALID: Readonly<Record<string, string>> = {
  'deactivate-realm': 'ends the organization',
  'export-realm': 'goes on for minutes in the background: its turns are measured by themselves',
  'delete-realm-export': 'needs an export',
  'delete-browser-session': 'needs a login of a browser',
  'delete-dead-letter': 'needs work that was given up',
  'get-import-choices': 'needs an archive that is uploaded',
  'get-import-problems': 'needs an archive that is uploaded',
  'update-import': 'needs an archive that is uploaded',
  'get-import-upload': 'needs an archive that is being uploaded',
  'append-to-import-upload': 'needs an archive that is being uploaded',
  'remove-import-upload': 'needs an archive that is being uploaded',
  'reset-second-factors': 'needs an authenticator',
  'update-scim-token': 'needs a token',
  'set-jwt-secret': 'needs a secret of the deployment',
  'remove-login-identity': 'needs a log-in at another service',
  'test-login-provider': 'needs another service',
  'resend-webhook-delivery': 'needs another service',
  'jwt-fetch-api-key': 'needs a secret of the deployment',
  'create-zoom-call': 'needs another service',
  'create-big-blue-button-video-call': 'needs another service',
  'summarize-messages': 'is always refused',
  'register-push-device': 'needs a push service',
  'test-notification': 'needs a push service',
  'test-sealed-notification': 'needs a push service',
}

/** Operations of the interface that ask for any account, and here for an administrator's. */
const AS_OWNER = new Set([
  'archive-stream',
  'create-invite-link',
  'deactivate-user',
  'fetch-api-key',
  'get-invites',
  'reactivate-user',
  'revoke-invite-link',
  'send-invites',
  'update-stream',
  'update-user',
  'update-user-by-email',
])

/** The slowest operations, and those that leave less for others. */
const LAST = ['archive-stream', 'delete-topic', 'deactivate-user', 'verify-realm', 'deactivate-own-user']

const TUS = {
  'Tus-Resumable': '1.0.0',
  'Upload-Length': '10',
  'Upload-Offset': '0',
  'Content-Type': 'application/offset+octet-stream',
}

/** Permissions of the organization and of a channel that may name a thousand people each. */
const REALM_PERMISSIONS = [
  'can_create_public_channel_group',
  'can_create_private_channel_group',
  'can_create_groups',
  'can_add_custom_emoji_group',
  'can_invite_users_group',
  'can_add_subscribers_group',
  'can_move_messages_between_channels_group',
  'can_move_messages_between_topics_group',
]
const CHANNEL_PERMISSIONS = [
  'can_add_subscribers_group',
  'can_administer_channel_group',
  'can_delete_any_message_group',
  'can_move_messages_within_channel_group',
  'can_remove_subscribers_group',
  'can_send_message_group',
  'can_subscribe_group',
]

const PICTURE = flatPng(500, 500)
const MOST = 5_000
/** The number of the topic before those that are moved; those before are deleted. */
const FIRST_MOVED = 5
const LATER_SECONDS = 30 * 86_400
/** Groups that list every nth person, and groups that contain all of these. */
const NESTED = { inner: 100, outer: 20, sparse: 25 }

interface Group {
  readonly id: number
  readonly name: string
}

/** One request for each operation, and for some several kinds of it. */
export function validRequests(stage: Stage): ValidRequest[] {
  const declared = new Declared(stage)
  const order = (name: string) => LAST.indexOf(name.split(': ')[0]!)
  return ENDPOINTS.filter(({ operation }) => !(operation in WITHOUT_VALID))
    .flatMap((endpoint) => {
      const kinds = Object.keys(declared.largest).filter((name) => name.split(': ')[0] === endpoint.operation)
      const names = kinds.length > 0 ? kinds : [endpoint.operation]
      return names.map((name) => ({ name, prepare: () => declared.prepare(endpoint, name) }))
    })
    .toSorted((a, b) => order(a.name) - order(b.name))
}

/** Makes requests, and prepares them, from the content of the organization. */
class Declared {
  readonly #stage: Stage
  readonly #plan: SeedPlan
  readonly largest: Readonly<Record<string, () => Made | Promise<Made>>>
  /** A counter that makes names unique. */
  #made = 0
  #moved = 0
  #mutedByOwner = 0
  /** The number of people whose accounts were used so far, counted from the last. */
  #used = 0
  #messages: number[] | undefined

  constructor(stage: Stage) {
    this.#stage = stage
    this.#plan = new SeedPlan(stage.size)
    this.largest = { ...this.#ofMessages(), ...this.#ofChannels(), ...this.#ofPeople(), ...this.#ofOneself() }
  }

  async prepare(endpoint: Endpoint, name: string): Promise<() => Promise<Response>> {
    const own = this.largest[name]
    const { by, fields, picture } = own ? await own() : { fields: this.#ofTable(name) }
    const { owner, member } = this.#stage
    const asksOwner = ['administrator', 'owner'].includes(endpoint.access) || AS_OWNER.has(endpoint.operation)
    const client = by ?? (asksOwner ? owner : member)
    return () => send(client, endpoint, fields ?? {}, picture)
  }

  /** The request of the table of permissions, about the channel of everybody. */
  #ofTable(name: string): Fields {
    const { seeded } = this.#stage
    const at = {
      mark: '',
      channelId: seeded.firstChannelId,
      channel: 'everybody',
      topic: 'the long topic',
      messageId: this.#newestInEverybodys(1)[0]!,
      pollId: 0,
      pinId: 0,
      people: [seeded.firstUserId],
      file: '',
    }
    // Requests that need a thing of the table's organization are declared here.
    const things = { ids: { author: seeded.firstUserId }, later: this.#later() } as Things
    const fields = requestOf({ name, destinations: undefined })(at, things, 'member', 'public')
    if (Object.values<unknown>(fields).includes(undefined))
      throw new Error(`${name} needs a thing: declare it here`)
    return fields
  }

  #ofMessages(): Readonly<Record<string, () => Made | Promise<Made>>> {
    const { owner, member, seeded, size } = this.#stage
    const { firstUserId, firstChannelId, firstMessageId } = seeded
    const page = (more: Fields) => () => ({
      fields: { anchor: 'newest', num_before: MOST, num_after: 0, ...more },
    })
    const narrowed = (...narrow: object[]) => page({ narrow })
    const newest = (count: number) =>
      Array.from(
        { length: Math.min(count, size.messages) },
        (_, at) => firstMessageId + size.messages - 1 - at,
      )
    const everybodys = { operator: 'channel', operand: firstChannelId }
    const change = (make: () => Fields) => async () => ({
      by: owner,
      fields: { ...make(), propagate_mode: 'change_all', send_notification_to_new_thread: false },
    })
    const inLong = async () => {
      const { messages } = await owner.call<{ messages: { id: number }[] }>('GET', '/messages', {
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        narrow: [everybodys, { operator: 'topic', operand: this.#longTopic }],
      })
      return messages[0]!.id
    }
    const sent = (more: Fields = {}) =>
      this.#id(member, '/messages', {
        type: 'channel',
        to: firstChannelId,
        topic: 'measured',
        content: 'measured',
        ...more,
      })
    return {
      'get-message': () => ({ fields: { message_id: this.#newestInEverybodys(1)[0]! } }),
      'get-messages: everything': page({}),
      'get-messages: everybody’s channel, oldest': page({
        anchor: 'oldest',
        num_before: 0,
        num_after: MOST,
        narrow: [everybodys],
      }),
      'get-messages: public channels': narrowed({ operator: 'channels', operand: 'public' }),
      'get-messages: a common word': narrowed({ operator: 'search', operand: 'harbour' }),
      'get-messages: a rare word': narrowed({ operator: 'search', operand: 'zyzzyva' }),
      'get-messages: a sender': narrowed({ operator: 'sender', operand: firstUserId }),
      'get-messages: with reactions': narrowed({ operator: 'has', operand: 'reaction' }),
      'get-messages: links, not a sender': narrowed(
        { operator: 'has', operand: 'link' },
        { operator: 'sender', operand: firstUserId, negated: true },
      ),
      'get-messages: mentions': narrowed({ operator: 'is', operand: 'mentioned' }),
      'get-messages: unread': narrowed({ operator: 'is', operand: 'unread' }),
      'get-messages: direct': narrowed({ operator: 'is', operand: 'dm' }),
      'get-messages: followed': narrowed({ operator: 'is', operand: 'followed' }),
      'get-messages: resolved': narrowed({ operator: 'is', operand: 'resolved' }),
      'get-messages: by id': () => ({ fields: { message_ids: newest(1_400) } }),
      'get-message-history': async () => {
        const id = await sent()
        await member.call('PATCH', `/messages/${id}`, { content: this.#text() })
        return { fields: { message_id: id } }
      },
      'match-narrow': () => ({
        fields: { msg_ids: newest(1_400), narrow: [{ operator: 'search', operand: 'harbour' }] },
      }),
      'send-message': () => ({
        fields: { type: 'channel', to: firstChannelId, topic: 'measured', content: this.#text() },
      }),
      'send-message: everybody is mentioned': () => ({
        by: owner,
        fields: { type: 'channel', to: firstChannelId, topic: 'measured', content: '@**all**' },
      }),
      'send-message: nested groups are mentioned': async () => ({
        by: owner,
        fields: {
          type: 'channel',
          to: firstChannelId,
          topic: 'measured',
          content: (await this.#nested()).map(({ name }) => `@*${name}*`).join(' '),
        },
      }),
      'send-message: direct, to many': () => ({
        fields: { type: 'direct', to: this.#people(200), content: this.#text() },
      }),
      'update-message: content': async () => ({
        fields: { message_id: await sent(), content: this.#text() },
      }),
      'update-message: resolving': async () => {
        const id = await inLong()
        return change(() => ({ message_id: id, topic: this.#resolve() }))()
      },
      'update-message: topic': async () => {
        const id = await inLong()
        return change(() => ({ message_id: id, topic: this.#rename() }))()
      },
      'update-message: channel': async () => {
        const { messages } = await owner.call<{ messages: { id: number }[] }>('GET', '/messages', {
          anchor: 'newest',
          num_before: 1,
          num_after: 0,
          narrow: [everybodys, { operator: 'topic', operand: seedTopic(this.#topicToMove()) }],
        })
        return change(() => ({ message_id: messages[0]!.id, stream_id: firstChannelId + 1 }))()
      },
      'delete-message': async () => ({ by: owner, fields: { message_id: await sent() } }),
      'remove-reaction': async () => {
        const id = await sent()
        await member.call('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
        return { fields: { message_id: id, emoji_name: 'tada' } }
      },
      'add-reaction': async () => ({ fields: { message_id: await sent(), emoji_name: 'tada' } }),
      'send-submessage': async () => ({
        fields: {
          message_id: await sent({ content: '/poll Which?' }),
          msg_type: 'widget',
          content: JSON.stringify({ type: 'new_option', idx: 1, option: 'o'.repeat(9_000) }),
        },
      }),
      'set-edit-typing': async () => ({ fields: { message_id: await sent(), op: 'start' } }),
      'report-message': async () => {
        await owner.call('PATCH', '/realm', { moderation_request_channel_id: firstChannelId + 3 })
        return { fields: { message_id: this.#newestInEverybodys(1)[0]!, report_type: 'spam' } }
      },
      'update-flags': () => ({
        fields: { messages: this.#newestInEverybodys(MOST), op: 'add', flag: 'starred' },
      }),
      'update-flags: read': async () => ({
        by: await this.#anybody(),
        fields: { messages: newest(MOST), op: 'add', flag: 'read' },
      }),
      'update-flags-for-narrow': () => ({
        fields: {
          anchor: 'newest',
          num_before: MOST,
          num_after: 0,
          narrow: [everybodys],
          op: 'add',
          flag: this.#made % 2 === 0 ? 'collapsed' : 'starred',
        },
      }),
      'mark-all-read': async () => ({ by: await this.#anybody() }),
      'mark-channel-read': async () => ({ by: await this.#anybody(), fields: { stream_id: firstChannelId } }),
      'mark-topic-read': async () => ({
        by: await this.#anybody(),
        fields: { stream_id: firstChannelId, topic_name: this.#longTopic },
      }),
      'render-message': () => ({ fields: { content: this.#text() } }),
      'create-reminder': () => ({
        fields: { message_id: this.#newestInEverybodys(1)[0]!, scheduled_delivery_timestamp: this.#later() },
      }),
      'delete-reminder': async () => {
        const fields = {
          message_id: this.#newestInEverybodys(1)[0]!,
          scheduled_delivery_timestamp: this.#later(),
        }
        const { reminder_id } = await member.call<{ reminder_id: number }>('POST', '/reminders', fields)
        return { fields: { reminder_id } }
      },
      'create-scheduled-message': () => ({ fields: { ...this.#scheduled(), content: this.#text() } }),
      'edit-scheduled-message': async () => ({
        fields: { scheduled_message_id: await this.#schedule(), content: this.#text() },
      }),
      'delete-scheduled-message': async () => ({ fields: { scheduled_message_id: await this.#schedule() } }),
      'set-typing': () => ({
        fields: { type: 'channel', op: 'start', stream_id: firstChannelId, topic: 'measured' },
      }),
    }
  }

  #ofChannels(): Readonly<Record<string, () => Made | Promise<Made>>> {
    const { owner, seeded, size } = this.#stage
    const { firstChannelId } = seeded
    const opened = Array.from({ length: size.channels }, (_, at) => at).filter((at) => at > 0 && at % 7 !== 3)
    const names = opened.map((at) => `channel ${at}`)
    const name = (what: string) => `${what} ${this.#count()}`
    const people = this.#people(10_000)
    const thousand = this.#people(1_000)
    const permissions = (list: readonly string[]) =>
      Object.fromEntries(
        list.map((one) => [
          one,
          {
            new: {
              direct_members: thousand.slice(this.#count() % 10),
              direct_subgroups: [systemGroupId('role:members')],
            },
          },
        ]),
      )
    const all = { subscriptions: names.map((one) => ({ name: one })), authorization_errors_fatal: false }
    const joined = async () => {
      const by = await this.#anybody()
      await by.call('POST', '/users/me/subscriptions', all)
      return by
    }
    const folder = () =>
      this.#id(
        owner,
        '/channel_folders/create',
        { name: name('folder'), description: '' },
        'channel_folder_id',
      )
    // Without the one that other cases make a default channel.
    const grouped = names.slice(2, 502)
    const defaults = async () => {
      const group_name = name('defaults')
      await owner.call('POST', '/default_stream_groups/create', {
        group_name,
        description: '',
        stream_names: grouped,
      })
      const { realm_default_stream_groups: groups } = await owner.call<{
        realm_default_stream_groups: { id: number }[]
      }>('POST', '/register', { fetch_event_types: ['default_stream_groups'] })
      return groups.at(-1)!.id
    }
    return {
      'get-streams': () => ({
        by: owner,
        fields: { include_all: true, exclude_archived: false, include_can_access_content: true },
      }),
      'create-channel': () => ({ by: owner, fields: { name: name('new channel'), subscribers: people } }),
      'create-channel: private': () => ({
        by: owner,
        fields: { name: name('new channel'), subscribers: people, invite_only: true },
      }),
      'update-stream': () => ({
        fields: {
          stream_id: firstChannelId,
          description: `${this.#count()} ${'*d* '.repeat(250)}`,
          ...permissions(CHANNEL_PERMISSIONS),
        },
      }),
      'update-stream: name': () => ({
        fields: { stream_id: firstChannelId + 10, new_name: name('renamed') },
      }),
      'update-stream: who sees it': async () => {
        const nested = (await this.#nested()).at(-1)!.id
        return {
          fields: {
            stream_id: await this.#hidden({ subscribers: [await this.#ownerId()] }),
            can_subscribe_group: { new: nested },
          },
        }
      },
      'update-stream: privacy': () => {
        this.#isPrivate = !this.#isPrivate
        return {
          fields: {
            stream_id: firstChannelId,
            is_private: this.#isPrivate,
            history_public_to_subscribers: true,
          },
        }
      },
      'archive-stream': () => ({ fields: { stream_id: firstChannelId + 5 + (this.#count() % 2) } }),
      'delete-topic': () => ({
        fields: { stream_id: firstChannelId, topic_name: seedTopic(1 + (this.#count() % 4)) },
      }),
      'add-default-stream': () => ({ fields: { stream_id: firstChannelId + 1 } }),
      'remove-default-stream': async () => {
        await owner.call('POST', '/default_streams', { stream_id: firstChannelId + 1 }).catch(() => {})
        return { fields: { stream_id: firstChannelId + 1 } }
      },
      'create-channel-folder': () => ({ fields: { name: name('folder'), description: 'd'.repeat(1_000) } }),
      'update-channel-folder': async () => ({
        fields: { channel_folder_id: await folder(), name: name('changed') },
      }),
      'reorder-channel-folders': async () => {
        await folder()
        const { channel_folders } = await owner.call<{ channel_folders: { id: number }[] }>(
          'GET',
          '/channel_folders',
          { include_archived: true },
        )
        return { fields: { order: channel_folders.map(({ id }) => id).toReversed() } }
      },
      'create-default-stream-group': () => ({
        fields: { group_name: name('defaults'), description: 'd', stream_names: grouped },
      }),
      'update-default-stream-group': async () => ({
        fields: { group_id: await defaults(), new_group_name: name('changed') },
      }),
      'update-default-stream-group-channels': async () => ({
        fields: { group_id: await defaults(), op: 'remove', stream_names: grouped },
      }),
      'delete-default-stream-group': async () => ({ fields: { group_id: await defaults() } }),
      'get-subscriptions': () => ({ fields: { include_subscribers: true, include_archived_channels: true } }),
      'get-subscription-status': () => ({
        fields: { user_id: seeded.firstUserId, stream_id: firstChannelId },
      }),
      'subscribe: all channels': async () => ({ by: await this.#anybody(), fields: all }),
      'subscribe: others': () => ({
        by: owner,
        fields: { subscriptions: [{ name: name('for all') }], principals: people },
      }),
      'subscribe: 200 new channels': () => ({
        by: owner,
        fields: { subscriptions: Array.from({ length: 200 }, () => ({ name: name('one of many') })) },
      }),
      'unsubscribe: all channels': async () => ({ by: await joined(), fields: { subscriptions: names } }),
      'unsubscribe: others': async () => {
        const made = name('left by all')
        await owner.call('POST', '/users/me/subscriptions', {
          subscriptions: [{ name: made }],
          principals: people,
        })
        return { by: owner, fields: { subscriptions: [made], principals: people } }
      },
      'update-subscriptions: both': async () => {
        const half = Math.floor(names.length / 2)
        const by = await this.#anybody()
        const first = { subscriptions: names.slice(0, half).map((one) => ({ name: one })) }
        await by.call('POST', '/users/me/subscriptions', first)
        return {
          by,
          fields: { delete: names.slice(0, half), add: names.slice(half).map((one) => ({ name: one })) },
        }
      },
      'update-subscription-settings': () => ({
        fields: {
          subscription_data: [0, 1, 2]
            .flatMap((round) =>
              opened.map((at) => ({
                stream_id: firstChannelId + at,
                property: 'color',
                value: `#${100_000 + ((at + round + this.#made) % 800_000)}`,
              })),
            )
            .slice(0, MAX_CHANNEL_SETTINGS),
        },
      }),
      'get-stream-email-address': () => ({ fields: { stream_id: firstChannelId } }),
    }
  }

  #ofPeople(): Readonly<Record<string, () => Made | Promise<Made>>> {
    const { owner, member, seeded, size } = this.#stage
    const { firstUserId, firstChannelId } = seeded
    const people = this.#people(10_000)
    const group = (members: readonly number[]) =>
      this.#id(
        owner,
        '/user_groups/create',
        { name: `group ${this.#count()}`, description: '', members },
        'group_id',
      )
    const everyone = systemGroupId('role:everyone')
    const newBot = (more: Fields = {}) =>
      member.call<{ user_id: number; api_key: string }>('POST', '/bots', {
        full_name: `Bot ${this.#count()}`,
        short_name: `b${this.#made}`,
        ...more,
      })
    const bot = async () => (await newBot()).user_id
    const incoming = () => newBot({ bot_type: 2 })
    const outgoing = async () =>
      (await newBot({ bot_type: 3, payload_url: 'https://bot.example.com/', interface_type: 1 })).user_id
    const provider = async () => {
      const fields = { slug: `p${this.#count()}`, issuer: 'https://login.example.com', client_id: 'parley' }
      return this.#id(owner, '/login_providers', fields)
    }
    const invitations = async () =>
      (await owner.call<{ invites: { id: number; is_multiuse: boolean }[] }>('GET', '/invites')).invites
    const invite = async () => {
      await owner.call('POST', '/invites', {
        invitee_emails: `i${this.#count()}@example.com`,
        stream_ids: [],
      })
      return (await invitations()).findLast(({ is_multiuse }) => !is_multiuse)!.id
    }
    const link = async () => {
      await owner.call('POST', '/invites/multiuse', { stream_ids: [] })
      return (await invitations()).findLast(({ is_multiuse }) => is_multiuse)!.id
    }
    const field = () =>
      this.#id(owner, '/realm/profile_fields', {
        name: `Field ${this.#count()}`,
        field_type: 1,
        field_data: {},
      })
    const linkifier = (at: number) => ({
      pattern: `${'P'.repeat(1 + (at % 20))}${at}-(?P<id>[0-9]+)`,
      url_template: 'https://x.example/{id}',
    })
    const addLinkifier = () => this.#id(owner, '/realm/filters', linkifier(this.#count()))
    const domain = async () => {
      const name = `d${this.#count()}.example.org`
      await owner.call('POST', '/realm/domains', { domain: name, allow_subdomains: false })
      return name
    }
    const channels = Array.from({ length: 100 }, (_, at) => firstChannelId + at).filter(
      (id) => (id - firstChannelId) % 7 !== 3,
    )
    const closed = async () => {
      const user_id = firstUserId + size.users - 100 - this.#count()
      await owner.call('DELETE', `/users/${user_id}`)
      return user_id
    }
    return {
      'get-audit-log': () => ({ fields: { limit: 500 } }),
      'get-users': () => ({ fields: { include_custom_profile_fields: true, client_gravatar: false } }),
      'get-user-by-email': () => ({ fields: { email: 'person-1@example.com' } }),
      'get-user-presence-by-email': async () => {
        await (await this.#stage.owner.logIn('person-1@example.com')).call('POST', '/users/me/presence', {
          status: 'active',
        })
        return { fields: { email: 'person-1@example.com' } }
      },
      'get-user-presence': async () => {
        await (await this.#stage.owner.logIn('person-0@example.com')).call('POST', '/users/me/presence', {
          status: 'active',
        })
        return { fields: { user_id: firstUserId } }
      },
      'create-user': () => ({
        fields: { email: `new${this.#count()}@example.com`, password: 'a fine password', full_name: 'New' },
      }),
      'update-user': () => ({ fields: { user_id: firstUserId + 20, full_name: `Changed ${this.#count()}` } }),
      'update-user: to guest and back': () => ({
        fields: { user_id: firstUserId + 21, role: this.#count() % 2 === 0 ? 600 : 400 },
      }),
      'update-user-by-email': () => ({
        fields: { email: 'person-22@example.com', full_name: `Changed ${this.#count()}` },
      }),
      'deactivate-user': () => ({ fields: { user_id: firstUserId + size.users - 100 - this.#count() } }),
      'reactivate-user': async () => ({ fields: { user_id: await closed() } }),
      'update-login-provider': async () => ({
        fields: { provider_id: await provider(), display_name: 'Acme' },
      }),
      'remove-login-provider': async () => ({ fields: { provider_id: await provider() } }),
      'create-bot': () => ({ fields: { full_name: `Bot ${this.#count()}`, short_name: `b${this.#made}` } }),
      'update-bot': async () => ({ fields: { bot_id: await bot(), full_name: `Changed ${this.#count()}` } }),
      'regenerate-bot-api-key': async () => ({ fields: { bot_id: await bot() } }),
      'deactivate-bot': async () => ({ fields: { bot_id: await bot() } }),
      'get-bot-api-key': async () => ({ fields: { bot_id: await bot() } }),
      'renew-webhook-secret': async () => ({ fields: { bot_id: await outgoing() } }),
      'get-webhook-deliveries': async () => ({ fields: { bot_id: await outgoing() } }),
      'get-event-subscriptions': async () => ({ fields: { bot_id: await outgoing() } }),
      'update-event-subscriptions': async () => ({
        fields: { bot_id: await outgoing(), event_subscriptions: [] },
      }),
      'get-incoming-webhook': async () => ({ fields: { bot_id: (await incoming()).user_id } }),
      'update-incoming-webhook': async () => ({
        fields: { bot_id: (await incoming()).user_id, allows_mentions: true },
      }),
      'test-incoming-webhook': async () => ({
        fields: { bot_id: (await incoming()).user_id, integration: 'json' },
      }),
      'receive-webhook': async () => ({
        fields: { integration: 'json', api_key: (await incoming()).api_key, payload: '{}' },
      }),
      'update-bot-storage': () => ({ fields: { storage: this.#storage() } }),
      'get-bot-storage': async () => {
        await this.#put(member, '/bot_storage', { storage: this.#storage() })
        return {}
      },
      'get-user-group-members': () => ({ fields: { user_group_id: everyone } }),
      'get-user-group-members: nested': async () => ({
        fields: { user_group_id: (await this.#nested()).at(-1)!.id },
      }),
      'get-user-group-subgroups': async () => ({
        fields: { user_group_id: (await this.#nested()).at(-1)!.id },
      }),
      'get-is-user-group-member': () => ({ fields: { user_group_id: everyone, user_id: firstUserId } }),
      'create-user-group': () => ({
        fields: { name: `group ${this.#count()}`, description: 'd'.repeat(1_000), members: people },
      }),
      'update-user-group': async () => ({
        by: owner,
        fields: { user_group_id: await group(people), name: `renamed ${this.#count()}` },
      }),
      'deactivate-user-group': async () => ({ by: owner, fields: { user_group_id: await group(people) } }),
      'update-user-group-members: add': async () => ({
        by: owner,
        fields: { user_group_id: await group([]), add: people },
      }),
      'update-user-group-members: delete': async () => ({
        by: owner,
        fields: { user_group_id: await group(people), delete: people.slice(0, 9_000) },
      }),
      'update-user-group-subgroups': async () => ({
        by: owner,
        fields: { user_group_id: await group([]), add: [await group(people), systemGroupId('role:members')] },
      }),
      'update-user-group-subgroups: of one that sees a channel': async () => {
        const seeing = await group([])
        await this.#hidden({ can_subscribe_group: seeing })
        return { by: owner, fields: { user_group_id: seeing, add: [(await this.#nested()).at(-1)!.id] } }
      },
      'send-invites': () => ({
        fields: {
          invitee_emails: Array.from({ length: 100 }, () => `i${this.#count()}@example.com`).join(','),
          stream_ids: channels,
        },
      }),
      'create-invite-link': () => ({ fields: { stream_ids: channels } }),
      'resend-email-invite': async () => ({ by: owner, fields: { invite_id: await invite() } }),
      'revoke-email-invite': async () => ({ by: owner, fields: { invite_id: await invite() } }),
      'revoke-invite-link': async () => ({ fields: { invite_id: await link() } }),
      'fetch-api-key': () => ({ fields: { username: owner.email!, password: 'measured words' } }),
      'update-realm': () => {
        const thousand = this.#people(1_000)
        const members = () => ({
          new: {
            direct_members: thousand.slice(this.#count() % 10),
            direct_subgroups: [systemGroupId('role:members')],
          },
        })
        return {
          fields: {
            description: 'd'.repeat(900 + (this.#count() % 90)),
            ...Object.fromEntries(REALM_PERMISSIONS.map((one) => [one, members()])),
          },
        }
      },
      'update-realm: name': () => ({ fields: { name: `Large ${this.#count()}` } }),
      'update-realm: whom guests see': () => ({
        fields: {
          can_access_all_users_group: {
            new: systemGroupId(this.#count() % 2 === 0 ? 'role:members' : 'role:everyone'),
          },
        },
      }),
      'upload-realm-icon': () => ({ picture: PICTURE }),
      'upload-realm-logo': () => ({ picture: PICTURE, fields: { night: false } }),
      'upload-custom-emoji': () => ({ picture: PICTURE, fields: { emoji_name: `emoji_${this.#count()}` } }),
      'deactivate-custom-emoji': async () => {
        const emoji_name = `emoji_${this.#count()}`
        await member.upload('POST', `/realm/emoji/${emoji_name}`, PICTURE)
        return { fields: { emoji_name } }
      },
      'add-linkifier': () => ({ fields: linkifier(this.#count()) }),
      'update-linkifier': async () => ({
        fields: { filter_id: await addLinkifier(), ...linkifier(this.#count()) },
      }),
      'remove-linkifier': async () => ({ fields: { filter_id: await addLinkifier() } }),
      'reorder-linkifiers': async () => {
        await addLinkifier()
        const { linkifiers } = await owner.call<{ linkifiers: { id: number }[] }>('GET', '/realm/linkifiers')
        return { fields: { ordered_linkifier_ids: linkifiers.map(({ id }) => id).toReversed() } }
      },
      'add-code-playground': () => ({ fields: this.#playground() }),
      'remove-code-playground': async () => ({
        fields: { playground_id: await this.#id(owner, '/realm/playgrounds', this.#playground()) },
      }),
      'add-realm-domain': () => ({
        fields: { domain: `d${this.#count()}.example.org`, allow_subdomains: false },
      }),
      'update-realm-domain': async () => ({ fields: { domain: await domain(), allow_subdomains: true } }),
      'remove-realm-domain': async () => ({ fields: { domain: await domain() } }),
      'create-custom-profile-field': () => ({
        fields: { name: `Field ${this.#count()}`, field_type: 1, field_data: {} },
      }),
      'update-custom-profile-field': async () => ({
        fields: { field_id: await field(), name: `Changed ${this.#count()}` },
      }),
      'delete-custom-profile-field': async () => ({ fields: { field_id: await field() } }),
      'reorder-custom-profile-fields': async () => {
        await field()
        return { fields: { order: (await this.#fields()).toReversed() } }
      },
    }
  }

  #ofOneself(): Readonly<Record<string, () => Made | Promise<Made>>> {
    const { owner, member, seeded } = this.#stage
    const { firstUserId, firstChannelId } = seeded
    const words = () => Array.from({ length: 100 }, () => `word ${this.#count()}`)
    const draft = { type: 'stream', to: [firstChannelId], topic: 'mine', content: 'd'.repeat(9_000) }
    const own = async (path: string, params: Fields, key = 'id') => this.#id(member, path, params, key)
    const view = async () => {
      const fragment = `view ${this.#count()}`
      await member.call('POST', '/navigation_views', { fragment, is_pinned: true, name: fragment })
      return fragment
    }
    const queue = async () =>
      (await member.call<{ queue_id: string }>('POST', '/register', { fetch_event_types: [] })).queue_id
    const snippet = () =>
      own('/saved_snippets', { title: `s${this.#count()}`, content: 'x' }, 'saved_snippet_id')
    const oneDraft = async () =>
      (await member.call<{ ids: number[] }>('POST', '/drafts', { drafts: [{ ...draft, content: 'short' }] }))
        .ids[0]!
    const endpoint = () => ({
      endpoint: `https://push-service.example.com/${this.#count()}`,
      p256dh: 'B'.repeat(87),
      auth: 'A'.repeat(22),
    })
    const uploaded = async () => (await member.upload<{ url: string }>('POST', '/user_uploads', PICTURE)).url
    const resumable = async () => {
      const created = await fetch(`${member.url}/api/v1/tus/`, {
        method: 'POST',
        headers: { ...member.authorization(), 'Tus-Resumable': '1.0.0', 'Upload-Length': '10' },
      })
      return { fields: { upload: created.headers.get('Location')!.split('/').at(-1)! } }
    }
    return {
      'add-alert-words': async () => ({ by: await this.#anybody(), fields: { alert_words: words() } }),
      'remove-alert-words': async () => {
        const alert_words = words()
        await member.call('POST', '/users/me/alert_words', { alert_words })
        return { fields: { alert_words } }
      },
      'create-drafts': async () => ({
        by: await this.#anybody(),
        fields: { drafts: Array.from({ length: 100 }, () => draft) },
      }),
      'edit-draft': async () => ({ fields: { draft_id: await oneDraft(), draft } }),
      'delete-draft': async () => ({ fields: { draft_id: await oneDraft() } }),
      'create-snippet': () => ({ fields: { title: `s${this.#count()}`, content: 'd'.repeat(9_000) } }),
      'edit-snippet': async () => ({
        fields: { saved_snippet_id: await snippet(), content: 'e'.repeat(9_000) },
      }),
      'delete-snippet': async () => ({ fields: { saved_snippet_id: await snippet() } }),
      'add-navigation-view': () => ({
        fields: { fragment: `view ${this.#count()}`, is_pinned: true, name: 'Mine' },
      }),
      'update-navigation-view': async () => ({ fields: { fragment: await view(), is_pinned: false } }),
      'remove-navigation-view': async () => ({ fields: { fragment: await view() } }),
      'register-queue': () => ({ fields: { include_subscribers: true, client_gravatar: false } }),
      'register-queue: everything public': () => ({ fields: { all_public_streams: true } }),
      'get-events': async () => ({
        fields: { queue_id: await queue(), last_event_id: -1, dont_block: true },
      }),
      'delete-queue': async () => ({ fields: { queue_id: await queue() } }),
      'mute-user': () => ({ fields: { muted_user_id: firstUserId + 50 + this.#count() } }),
      'mute-user: of whom most is unread': () => ({
        by: owner,
        fields: { muted_user_id: firstUserId + this.#muted() },
      }),
      'unmute-user': async () => {
        const muted_user_id = firstUserId + 50 + this.#count()
        await member.call('POST', `/users/me/muted_users/${muted_user_id}`)
        return { fields: { muted_user_id } }
      },
      'update-own-profile-data': async () => ({
        fields: { data: (await this.#fields()).map((id) => ({ id, value: `mine ${this.#count()}` })) },
      }),
      'remove-own-profile-data': async () => ({ fields: { data: await this.#fields() } }),
      'update-own-status': () => ({ fields: { status_text: `here ${this.#count()}` } }),
      'set-user-status': () => ({ fields: { user_id: firstUserId, status_text: `away ${this.#count()}` } }),
      'update-presence': () => ({ fields: { status: 'active', last_update_id: -1, new_user_input: true } }),
      'upload-avatar': () => ({ picture: PICTURE }),
      'regenerate-own-api-key': async () => ({ by: await this.#anybody() }),
      'log-out-elsewhere': async () => ({ by: await this.#anybody() }),
      'deactivate-own-user': async () => ({ by: await this.#anybody() }),
      'update-settings': () => ({ fields: { full_name: `Attacker ${this.#count()}` } }),
      'upload-file': () => ({ picture: PICTURE }),
      'get-file-temporary-url': async () => {
        const [realm, ...rest] = (await uploaded()).split('/').slice(2)
        return { fields: { realm_id_str: realm!, filename: rest.join('/') } }
      },
      'remove-attachment': async () => {
        await uploaded()
        const { attachments } = await member.call<{ attachments: { id: number }[] }>('GET', '/attachments')
        return { fields: { attachment_id: Math.max(...attachments.map(({ id }) => id)) } }
      },
      'get-resumable-upload': resumable,
      'append-to-resumable-upload': resumable,
      'remove-resumable-upload': resumable,
      'remove-client-device': async () => ({
        fields: { device_id: await own('/register_client_device', {}, 'device_id') },
      }),
      'remove-apns-token': async () => {
        await member.call('POST', '/users/me/apns_device_token', {
          token: 'ab'.repeat(32),
          appid: 'org.example',
        })
        return { fields: { token: 'ab'.repeat(32) } }
      },
      'remove-fcm-token': async () => {
        await member.call('POST', '/users/me/android_gcm_reg_id', { token: 'fcm-token' })
        return { fields: { token: 'fcm-token' } }
      },
      'add-web-push-subscription': () => ({ fields: endpoint() }),
      'remove-web-push-subscription': async () => {
        const fields = endpoint()
        await member.call('POST', '/web_push/subscriptions', fields)
        return { fields: { endpoint: fields.endpoint } }
      },
    }
  }

  /** Groups of which everybody is in some, and groups that contain all of these; made once, by the owner. */
  #nested(): Promise<readonly Group[]> {
    this.#nestedGroups ??= this.#nest()
    return this.#nestedGroups
  }

  async #nest(): Promise<readonly Group[]> {
    const people = this.#people(10_000)
    const make = async (name: string, members: readonly number[], subgroups: readonly number[]) => {
      const group = { name, description: '', members, subgroups }
      return { name, id: await this.#id(this.#stage.owner, '/user_groups/create', group, 'group_id') }
    }
    const inner: Group[] = []
    for (let at = 0; at < NESTED.inner; at += 1) {
      // Hardly any two people are in the same groups.
      const isIn = (person: number) => (Math.imul(person + 1, 40_503 + 97 * at) >>> 8) % NESTED.sparse === 0
      const members = people.filter((_, person) => isIn(person))
      inner.push(await make(`inner ${at}`, members, []))
    }
    const outer: Group[] = []
    for (let at = 0; at < NESTED.outer; at += 1) {
      const ids = inner.map(({ id }) => id)
      outer.push(await make(`outer ${at}`, [], ids))
    }
    return [...inner, ...outer]
  }

  /** Makes a private channel. Returns its id. */
  async #hidden(settings: Fields): Promise<number> {
    const channel = { name: `hidden ${this.#count()}`, subscribers: [], invite_only: true, ...settings }
    return this.#id(this.#stage.owner, '/channels/create', channel)
  }

  async #ownerId(): Promise<number> {
    return (await this.#stage.owner.call<{ user_id: number }>('GET', '/users/me')).user_id
  }

  #nestedGroups: Promise<readonly Group[]> | undefined
  #isPrivate = false
  #longTopic = 'the long topic'

  #resolve(): string {
    const resolved = this.#longTopic.startsWith('✔ ')
    this.#longTopic = resolved ? this.#longTopic.slice(2) : `✔ ${this.#longTopic}`
    return this.#longTopic
  }

  #rename(): string {
    this.#longTopic = `long, renamed ${this.#count()}`
    return this.#longTopic
  }

  /** The first people have written most. */
  #muted(): number {
    this.#mutedByOwner += 1
    return this.#mutedByOwner
  }

  /** Topics of the channel of everybody have low numbers where they are long. */
  #topicToMove(): number {
    this.#moved += 1
    return FIRST_MOVED + this.#moved
  }

  #count(): number {
    this.#made += 1
    return this.#made
  }

  #later(): number {
    return Math.floor(Date.now() / 1_000) + LATER_SECONDS
  }

  #people(count: number): number[] {
    const { seeded, size } = this.#stage
    return Array.from({ length: Math.min(count, size.users) }, (_, at) => seeded.firstUserId + at)
  }

  /** A full member without a request so far, who has the most unread messages. */
  #anybody(): Promise<ApiClient> {
    for (;;) {
      this.#used += 1
      const number = this.#stage.size.users - this.#used
      if (this.#plan.person(number).role === 400)
        return this.#stage.owner.logIn(`person-${number}@example.com`)
    }
  }

  #newestInEverybodys(count: number): number[] {
    const { seeded, size } = this.#stage
    if (this.#messages === undefined) {
      this.#messages = []
      for (let at = size.messages - 1; at >= 0 && this.#messages.length < MOST; at -= 1) {
        const { to } = this.#plan.message(at)
        if ('channel' in to && to.channel === 0) this.#messages.push(seeded.firstMessageId + at)
      }
    }
    return this.#messages.slice(0, count)
  }

  /** Ten thousand characters with everything that texts may contain. */
  #text(): string {
    const { seeded } = this.#stage
    const part = (at: number) =>
      `**${at}** @**${this.#plan.person(at % this.#stage.size.users).fullName}|${seeded.firstUserId + (at % this.#stage.size.users)}** #**channel ${1 + at}** \`code\` :smile: https://example.com/${at}\n`
    let text = ''
    for (let at = this.#count(); text.length < 9_800; at += 1) text += part(at)
    return text.slice(0, 9_990)
  }

  #scheduled(): Fields {
    return {
      type: 'channel',
      to: this.#stage.seeded.firstChannelId,
      topic: 'measured',
      content: 'later',
      scheduled_delivery_timestamp: this.#later(),
    }
  }

  #schedule(): Promise<number> {
    return this.#id(this.#stage.member, '/scheduled_messages', this.#scheduled(), 'scheduled_message_id')
  }

  #storage(): Record<string, string> {
    return Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`key${at}`, 'v'.repeat(9_000)]))
  }

  #playground(): Fields {
    return {
      name: `Play ${this.#count()}`,
      pygments_language: 'Rust',
      url_template: 'https://x.example/{code}',
    }
  }

  async #fields(): Promise<number[]> {
    const { custom_fields } = await this.#stage.owner.call<{ custom_fields: { id: number; type: number }[] }>(
      'GET',
      '/realm/profile_fields',
    )
    return custom_fields.map(({ id }) => id)
  }

  async #put(client: ApiClient, path: string, params: Fields): Promise<void> {
    const headers = client.authorization()
    await fetch(`${client.url}/api/v1${path}`, { method: 'PUT', headers, body: encodeFields({ ...params }) })
  }

  async #id(client: ApiClient, path: string, params: Fields, key = 'id'): Promise<number> {
    return (await client.call('POST', path, { ...params }))[key] as number
  }
}

function send(
  client: ApiClient,
  { method, path, tus }: Endpoint,
  fields: Fields,
  picture?: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  const left: Record<string, ParameterValue> = { ...fields }
  const address = path.replaceAll(/:(\w+)\+?/g, (_, name: string) => {
    const value = String(left[name])
    delete left[name]
    return value.split('/').map(encodeURIComponent).join('/')
  })
  const form = encodeFields(left)
  const url = `${client.url}/api/v1${address}`
  const headers = { ...client.authorization(), ...(tus ? TUS : {}) }
  if (method === 'GET') return fetch(form.size > 0 ? `${url}?${form}` : url, { headers })
  if (tus) return fetch(url, { method, headers, body: method === 'PATCH' ? '0123456789' : undefined })
  if (!picture) return fetch(url, { method, headers, body: form })
  const body = new FormData()
  for (const [name, value] of form) body.set(name, value)
  body.set('file', new File([picture], 'picture.png', { type: 'image/png' }))
  return fetch(url, { method, headers, body })
}
