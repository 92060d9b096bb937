import { expectSuccess, type TestUser } from '../support/factories.ts'
import { insertManyTopics, insertMessages } from '../support/inserted-messages.ts'
import { addChannels, changeRealm, insertUsers, subscribe } from '../support/inside.ts'
import {
  defaultPermissions,
  insertAttachment,
  insertGroup,
  insertInvitation,
  insertSubgroups,
  putLink,
} from '../support/inside-rows.ts'
import { insertPresence } from '../support/inside-work.ts'
import {
  CHANNELS_OF_ONE_SLICE,
  ENTRIES_AT_ONCE,
  GROUPS_OF_ONE_SLICE,
  MESSAGES_AT_ONCE,
} from '../support/limits.ts'
import { sendDirect, sendTo } from '../support/messages.ts'
import { systemGroupId } from '../support/system-groups.ts'
import type { Organization } from '../support/use-realm.ts'

/** An organization in which Ann may read everything; the cellar is private, with protected history. */
export type Place = Organization<'ann' | 'ben' | 'guest', 'hall' | 'cellar'>

/** A change that is made between two slices of the list. */
type Change = () => Promise<unknown>

/** A request that is answered in several slices. */
interface LargeList {
  /** Returns the answer, refusals too, without what differs each time. */
  readonly ask: () => Promise<unknown>
  /** A limit of the rows of a slice, for what else would have to be larger still. */
  readonly rowsOfSlice?: number
  readonly meanwhile?: Readonly<Record<string, Change>>
}

const idsOf = (users: readonly TestUser[]) => users.map(({ id }) => id)
const names = (count: number, name: string) =>
  Array.from({ length: count }, (_, at) => `${name} ${String(at).padStart(4, '0')}`)
const get =
  ({ api }: TestUser, path: string, params = {}) =>
  async () => {
    const { status, body } = await api.get(path, params)
    return { status, body }
  }
/** Registers for some types, and returns the snapshot. */
const snapshot =
  ({ api }: TestUser, ...fetch_event_types: string[]) =>
  async () => {
    const { queue_id, last_event_id, server_timestamp, ...facts } = expectSuccess(
      await api.post('/register', { fetch_event_types, slim_presence: true }),
    )
    return facts
  }
const ok = async (asked: Promise<Parameters<typeof expectSuccess>[0]>) => expectSuccess(await asked)
const leave = ({ api }: TestUser, { name }: { name: string }) =>
  ok(api.delete('/users/me/subscriptions', { subscriptions: [name] }))
const join = ({ owner }: Place, { name }: { name: string }, ...people: TestUser[]) =>
  ok(owner.api.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: idsOf(people) }))
/** Guests see only those with whom they share a channel. */
const hideFromGuests = ({ owner }: Place) =>
  ok(owner.api.patch('/realm', { can_access_all_users_group: { new: systemGroupId('role:members') } }))
const move = ({ owner }: Place, id: number, fields: object) =>
  ok(owner.api.patch(`/messages/${id}`, { send_notification_to_new_thread: false, ...fields }))
const wholeTopic = (at: Place, id: number, to: object) =>
  move(at, id, { propagate_mode: 'change_all', ...to })

/** Channels, in the first of which Ann and Ben are, and Ann in all. */
async function enterChannels({ realm, ann, ben }: Place, count: number): Promise<number[]> {
  const ids = await addChannels(realm, names(count, 'many'))
  await changeRealm(realm, (tx) => {
    for (const [at, id] of ids.entries()) subscribe(tx, id, at < 3 ? [ann.id, ben.id] : [ann.id])
  })
  return ids
}

/** Topics in the hall, and in the cellar before Ben left it and while he was away. */
async function enterTopics(at: Place, count: number) {
  const { realm, owner, ben, hall, cellar } = at
  const enter = (channelId: number, prefix: string) =>
    insertManyTopics(realm, owner, { channelId, prefix, count })
  const inHall = await enter(hall.id, 'Topic ')
  const inCellar = await enter(cellar.id, 'Old ')
  await leave(ben, cellar)
  await enter(cellar.id, 'While Ben was away ')
  await join(at, cellar, ben)
  return { inHall, inCellar }
}

/** Sends a message to thousands, of whom people far from one another have read it. */
async function readByMany({ realm, owner, hall }: Place) {
  const people = await insertUsers(realm, 3_000, hall.id)
  const id = await sendTo(owner, hall.id, 'receipts', 'read me')
  const readers = [0, 1, 1_400, 2_990].map((at) => people[at]!)
  for (const { api } of readers) {
    await ok(api.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }))
  }
  return { id, readers }
}

/** Files of Ben's, the first of which these messages link to. */
function enterFiles({ realm, ben }: Place, linking: readonly number[]): Promise<void> {
  return changeRealm(realm, (tx) => {
    for (let at = 0; at < ENTRIES_AT_ONCE + 300; at += 1) {
      const file = { ownerId: ben.id, name: `file-${at}.txt`, contentType: 'text/plain', size: 1 }
      const path = `${realm.id}/00/${ben.id}/${at}/file-${at}.txt`
      const { id } = insertAttachment(tx.sql, { path, ...file, createdAt: 0, image: null })
      const message = linking[at]
      if (message !== undefined) putLink(tx.sql, id, message)
    }
  })
}

export const LARGE_LISTS: Readonly<Record<string, (at: Place) => Promise<LargeList>>> = {
  'get-streams: a thousand': async (at) => {
    const [first, second] = await enterChannels(at, 1_100)
    const { owner, ben } = at
    return {
      ask: get(ben, '/streams'),
      meanwhile: {
        'a channel gets another name': () =>
          ok(owner.api.patch(`/streams/${first}`, { new_name: 'renamed' })),
        'one gets a subscriber': () => join(at, { name: 'many 0500' }, ben),
        'one becomes private': () => ok(owner.api.patch(`/streams/${second}`, { is_private: true })),
      },
    }
  },
  'get-subscriptions: a thousand': async (at) => {
    await enterChannels(at, 1_100)
    const { ann, ben } = at
    return {
      ask: get(ann, '/users/me/subscriptions', { include_subscribers: true }),
      meanwhile: {
        'somebody joins one': () => join(at, { name: 'many 0010' }, ben),
        'the reader leaves one': () => leave(ann, { name: 'many 0011' }),
      },
    }
  },
  'unsubscribe: by a thousand names': async (at) => {
    await enterChannels(at, 1_100)
    const subscriptions = names(1_100, 'many')
    return {
      ask: async () =>
        (await at.owner.api.delete('/users/me/subscriptions', { subscriptions })).body.not_removed,
    }
  },
  'get-users: thousands': async (at) => {
    const { realm, owner, ann } = at
    const people = await insertUsers(realm, 2_500)
    return {
      ask: get(ann, '/users'),
      meanwhile: {
        'one gets another name': () => ok(people[0]!.api.patch('/settings', { full_name: 'Renamed' })),
        'an account is closed': () => ok(owner.api.delete(`/users/${people[2_498]!.id}`)),
      },
    }
  },
  'get-users: those whom a guest sees': async (at) => {
    const { realm, owner, guest, hall } = at
    const people = await insertUsers(realm, 20)
    await insertUsers(realm, 1_700, hall.id)
    await hideFromGuests(at)
    const [joining, leaving, writing, closed] = people.slice(7, 11) as [
      TestUser,
      TestUser,
      TestUser,
      TestUser,
    ]
    await join(at, hall, leaving, closed, people.at(-1)!)
    return {
      ask: get(guest, '/users'),
      meanwhile: {
        'somebody joins the guest’s channel': () => join(at, hall, joining),
        'somebody leaves it': () => leave(leaving, hall),
        'somebody writes to the guest': () => sendDirect(writing, [guest], 'hello'),
        'an account is closed': () => ok(owner.api.delete(`/users/${closed.id}`)),
      },
    }
  },
  'get-users: by thousands of ids': async (at) => {
    const ids = idsOf(await insertUsers(at.realm, 2_500))
    // Some twice, and nobody's.
    const user_ids = [...ids.slice(0, 100), 999_999, ...ids.toReversed()]
    return { ask: get(at.ann, '/users', { user_ids }) }
  },
  'register-queue: people, by a guest': async (at) => {
    const { realm, guest, hall } = at
    await insertUsers(realm, 1_700, hall.id)
    await hideFromGuests(at)
    return { ask: snapshot(guest, 'realm_user') }
  },
  'register-queue: drafts, snippets and stars': async ({ realm, owner, ann, hall }) => {
    const starred = { channelId: hall.id, topic: 'stars', count: 1_200, length: 20 }
    const ids = await insertMessages(realm, owner, starred)
    await changeRealm(realm, ({ sql }) => {
      const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)`
      sql.run(
        `${numbers} INSERT INTO draft (user_id, type, recipients, topic, content, edited_at)
         SELECT ?, '', '[]', '', 'draft ' || i, 1 FROM n`,
        ann.id,
      )
      sql.run(
        `${numbers} INSERT INTO saved_snippet (user_id, title, content, created_at) SELECT ?, 'x', 'snippet ' || i, 1 FROM n`,
        ann.id,
      )
    })
    await ok(ann.api.post('/messages/flags', { messages: ids, op: 'add', flag: 'starred' }))
    return { ask: snapshot(ann, 'drafts', 'saved_snippets', 'starred_messages') }
  },
  'register-queue: unread messages': async ({ realm, owner, ben, hall, cellar }) => {
    for (const { id: channelId } of [hall, cellar]) {
      await insertMessages(realm, owner, { channelId, topic: 'long', count: 5_000, length: 20 })
    }
    return { ask: snapshot(ben, 'message', 'update_message_flags') }
  },
  'get-messages: thousands': async (at) => {
    const { realm, owner, ben, hall, cellar } = at
    const ids: number[] = []
    for (const { id: channelId } of [hall, cellar]) {
      const messages = { channelId, topic: 'long', count: MESSAGES_AT_ONCE + 100, length: 20 }
      ids.push(...(await insertMessages(realm, owner, messages)))
    }
    const flag = (op: string) => ({ messages: [ids[0]!, ids.at(-1)!], op, flag: 'starred' })
    return {
      ask: get(ben, '/messages', { anchor: 'newest', num_before: 5_000, num_after: 0 }),
      rowsOfSlice: 200,
      meanwhile: {
        'one of the first is deleted': () => ok(owner.api.delete(`/messages/${ids[3]}`)),
        'one of the last is deleted': () => ok(owner.api.delete(`/messages/${ids.at(-3)}`)),
        'two get a star': () => ok(ben.api.post('/messages/flags', flag('add'))),
        'the reader leaves a private channel': () => leave(ben, cellar),
      },
    }
  },
  'get-messages: by a thousand ids': async (at) => {
    const { realm, owner, ann, hall } = at
    const messages = { channelId: hall.id, topic: 'long', count: 2 * MESSAGES_AT_ONCE + 200, length: 20 }
    const ids = await insertMessages(realm, owner, messages)
    // One twice, and some that nobody has sent.
    const message_ids = [
      ...ids.toReversed(),
      ids[0]!,
      ...Array.from({ length: 600 }, (_, n) => 9_000_000 + n),
    ]
    return { ask: get(ann, '/messages', { message_ids }), rowsOfSlice: 200 }
  },
  'get-messages: direct, of ten thousand conversations': async ({ realm, owner, ann, ben }) => {
    await changeRealm(realm, ({ sql }) => {
      sql.run(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
         INSERT INTO conversation (members) SELECT ?1 || ',' || (1000000 + i) FROM n`,
        owner.id,
      )
      sql.run(
        `INSERT INTO conversation_member (user_id, conversation_id) SELECT ?, id FROM conversation`,
        owner.id,
      )
    })
    for (const to of [[ann], [ben], [ann, ben]]) await sendDirect(owner, to, 'x')
    const narrow = [{ operator: 'is', operand: 'dm' }]
    return { ask: get(owner, '/messages', { narrow, anchor: 'oldest', num_before: 0, num_after: 10 }) }
  },
  'get-read-receipts: of thousands': async (at) => {
    const { owner, ann } = at
    const { id, readers } = await readByMany(at)
    const [hiding, muted, closed] = readers as [TestUser, TestUser, TestUser]
    return {
      ask: get(ann, `/messages/${id}/read_receipts`),
      rowsOfSlice: 500,
      meanwhile: {
        'a reader hides it': () => ok(hiding.api.patch('/settings', { send_read_receipts: false })),
        'the asker mutes one': () => ok(ann.api.post(`/users/me/muted_users/${muted.id}`)),
        'an account is closed': () => ok(owner.api.delete(`/users/${closed.id}`)),
        'the message is deleted': () => ok(owner.api.delete(`/messages/${id}`)),
      },
    }
  },
  'get-read-receipts: of a message that is moved': async (at) => {
    const { id } = await readByMany(at)
    const away = { stream_id: at.cellar.id, propagate_mode: 'change_one' }
    return {
      ask: get(at.ann, `/messages/${id}/read_receipts`),
      rowsOfSlice: 500,
      meanwhile: { 'it goes to another channel': () => move(at, id, away) },
    }
  },
  'get-stream-topics: thousands': async (at) => {
    const { owner, ann, hall, cellar } = at
    const { inHall, inCellar } = await enterTopics(at, 5_200)
    return {
      ask: get(ann, `/users/me/${hall.id}/topics`, { allow_empty_topic_name: true }),
      meanwhile: {
        'a message comes in a known topic': () => sendTo(owner, hall.id, 'TOPIC 7', 'hello'),
        'a message comes in a new topic': () => sendTo(owner, hall.id, 'a new topic', 'hello'),
        'a topic gets another name, and then another': async () => {
          await wholeTopic(at, inHall + 9, { topic: 'zz' })
          await wholeTopic(at, inHall + 9, { topic: 'aa' })
        },
        'a topic is moved into another': () => wholeTopic(at, inHall + 19, { topic: 'topic 30' }),
        'a topic goes to another channel': () => wholeTopic(at, inHall + 39, { stream_id: cellar.id }),
        'a topic comes from another channel': () => wholeTopic(at, inCellar + 49, { stream_id: hall.id }),
        'the only message of a topic is deleted': () => ok(owner.api.delete(`/messages/${inHall + 59}`)),
        'an edit changes no topic': () => move(at, inHall + 69, { content: 'another text' }),
      },
    }
  },
  'get-stream-topics: of protected history': async (at) => {
    const { owner, ben, cellar } = at
    const { inCellar } = await enterTopics(at, 5_200)
    return {
      ask: get(ben, `/users/me/${cellar.id}/topics`, { allow_empty_topic_name: true }),
      meanwhile: {
        'a message comes in an unseen topic': () => sendTo(owner, cellar.id, 'While Ben was away 5', 'hello'),
        'the only message of a topic is deleted': () => ok(owner.api.delete(`/messages/${inCellar + 5}`)),
        'a topic is moved into an unseen one': () =>
          wholeTopic(at, inCellar + 6, { topic: 'While Ben was away 8' }),
        'the reader may not read the channel any more': () => leave(ben, cellar),
      },
    }
  },
  'get-attachments: a thousand': async (at) => {
    const { realm, owner, ann, ben, hall, cellar } = at
    const sent: number[] = []
    for (const { id } of [hall, cellar, cellar, hall]) sent.push(await sendTo(ben, id, 'files', 'here'))
    await enterFiles(at, sent)
    const secret = await addChannels(realm, ['secret'], {
      isPrivate: true,
      historyPublicToSubscribers: false,
    })
    await changeRealm(realm, (tx) => subscribe(tx, secret[0]!, [owner.id]))
    return {
      ask: get(ben, '/attachments'),
      meanwhile: {
        'others join, and write': async () => {
          await join(at, cellar, ann)
          await sendTo(ann, cellar.id, 'files', 'thanks')
        },
        'a linking message is deleted': () => ok(owner.api.delete(`/messages/${sent[0]}`)),
        'one is moved out of the owner’s sight': () =>
          move(at, sent[3]!, { stream_id: secret[0], propagate_mode: 'change_one' }),
        'the owner leaves a private channel': () => leave(ben, cellar),
      },
    }
  },
  'deactivate-user-group: with a thousand uses': async ({ realm, ann }) => {
    const group = { name: 'used', description: '', members: [] }
    const { group_id: used } = await ok(ann.api.post('/user_groups/create', group))
    const own = { direct_members: [ann.id], direct_subgroups: [used] }
    const settings = { ...defaultPermissions(null), can_subscribe_group: used, can_send_message_group: own }
    const channels = await addChannels(realm, names(CHANNELS_OF_ONE_SLICE.channels + 20, 'channel'), {
      settings,
    })
    // Its number is among the digits of others.
    const others = { ...defaultPermissions(null), can_subscribe_group: Number(`${used}${used}`) }
    await addChannels(realm, names(20, 'other'), { settings: others })
    await changeRealm(realm, (tx) => {
      const [nobody, everyone] = [systemGroupId('role:nobody'), systemGroupId('role:everyone')]
      const facts = { description: '', creatorId: null, createdAt: tx.now }
      const permissions = {
        can_add_members_group: nobody,
        can_join_group: used,
        can_leave_group: everyone,
        can_manage_group: nobody,
        can_mention_group: own,
        can_remove_members_group: nobody,
      }
      for (const name of names(GROUPS_OF_ONE_SLICE + 20, 'group')) {
        insertSubgroups(tx.sql, insertGroup(tx.sql, { ...facts, name, settings: permissions }), [used])
      }
    })
    const archive = () => ok(realm.owner.api.delete(`/streams/${channels[0]}`))
    return {
      ask: async () => {
        const { status, body } = await ann.api.post(`/user_groups/${used}/deactivate`)
        return { status, body }
      },
      meanwhile: {
        'a channel that uses it is archived': archive,
        'another group begins to use it': () =>
          ok(
            ann.api.post('/user_groups/create', {
              name: 'user',
              description: '',
              members: [],
              can_join_group: { direct_members: [ann.id], direct_subgroups: [used] },
            }),
          ),
      },
    }
  },
  'get-realm-presence: of thousands': async ({ realm, owner, ann }) => {
    const people = await insertUsers(realm, 2_100)
    await insertPresence(realm, idsOf(people))
    // Nobody has been looked up before.
    await insertUsers(realm, 2_100)
    const [closed, hiding] = people as [TestUser, TestUser]
    return {
      ask: async () => Object.keys(expectSuccess(await ann.api.get('/realm/presence')).presences).sort(),
      rowsOfSlice: 500,
      meanwhile: {
        'an account is closed': () => ok(owner.api.delete(`/users/${closed.id}`)),
        'one hides their address': () => ok(hiding.api.patch('/settings', { email_address_visibility: 4 })),
      },
    }
  },
  'get-invites: thousands': async ({ realm, owner, ann, ben }) => {
    const [first] = await changeRealm(realm, (tx) =>
      names(2_500, 'invited').map((name, at) =>
        insertInvitation(tx.sql, {
          kind: 'email',
          secret: crypto.randomUUID(),
          email: `${name.replace(' ', '-')}@example.com`,
          referrerId: at % 50 === 0 ? ann.id : ben.id,
          invitedAt: tx.now,
          expiresAt: null,
          inviteAs: 400,
          notifiesReferrer: false,
          channelIds: [],
          groupIds: [],
          joinsDefaultChannels: true,
          welcomeText: null,
          origin: `http://${realm.host}`,
        }),
      ),
    )
    return {
      ask: get(owner, '/invites'),
      rowsOfSlice: 200,
      meanwhile: {
        'one is revoked': () => ok(owner.api.delete(`/invites/${first}`)),
        'those of a closed account go': () => ok(owner.api.delete(`/users/${ann.id}`)),
      },
    }
  },
}
