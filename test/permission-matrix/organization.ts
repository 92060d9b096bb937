import { runDurableObjectAlarm } from 'cloudflare:test'
import { ApiClient, type ParameterValue, realmStub } from '../support/api.ts'
import { buildUser, createBot, expectSuccess, type TestRealm, type TestUser } from '../support/factories.ts'
import { beginArchive } from '../support/import-uploads.ts'
import { changeRealm, inRealm } from '../support/inside.ts'
import { addDeadLetter, insertBrowserSession } from '../support/inside-rows.ts'
import { newSession, type SessionOfBrowser } from '../support/inside-sessions.ts'
import { addLoginProvider, connectTo } from '../support/login-identities.ts'
import { sendDirect } from '../support/messages.ts'
import { pngOf } from '../support/pictures.ts'
import { openQueue } from '../support/queues.ts'
import { allowSpectators, WEB_PUBLIC } from '../support/spectator.ts'
import { systemGroupId } from '../support/system-groups.ts'
import { beginUpload } from '../support/tus.ts'
import { postFiles, upload } from '../support/uploads.ts'
import { buildRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'
import { ACCOUNTS, type Actor, DESTINATIONS_OF, type Destination, type Stranger } from './cast.ts'

const DAY = 86_400
/** Address of the author's outgoing webhook. */
const HOOK = 'https://hooks.example.com/in'
const LIMIT_SECONDS = 3_600
const TIME_LIMITS = [
  'message_content_edit_limit_seconds',
  'message_content_delete_limit_seconds',
  'move_messages_within_stream_limit_seconds',
  'move_messages_between_streams_limit_seconds',
]
const OLD = 10 * DAY
const LATER = Math.floor(Date.now() / 1_000) + DAY

/** One thing of every kind at a destination. Its name, topic and text contain `mark`, which nothing else does. */
export interface DestinationThings {
  readonly mark: string
  readonly channelId: number
  readonly channel: string
  readonly topic: string
  /** A message by the author. */
  readonly messageId: number
  /** A poll by the author. */
  readonly pollId: number
  /** The pin of the topic. */
  readonly pinId: number
  /** Ids of the participants of a conversation. */
  readonly people: readonly number[]
  /** The address of the file in the author's message. */
  readonly file: string
}

export interface Organization {
  readonly realm: TestRealm
  readonly cast: Readonly<Record<Actor, ApiClient>>
  readonly ids: Readonly<Record<Exclude<Actor, Stranger>, number>>
  /** Session tokens of browsers by actor, including those of closed accounts and of the other organization. */
  readonly sessions: Readonly<Partial<Record<Actor, SessionOfBrowser>>>
  readonly destinations: Readonly<Record<Destination, DestinationThings>>
  readonly things: Things
}

/** Things of the author, unless the name says otherwise, and of the organization. */
export type Things = Awaited<ReturnType<typeof makeThings>>

type People = Record<Exclude<Actor, Stranger>, TestUser>

const ROLES = {
  administrator: 200,
  moderator: 300,
  member: 400,
  guest: 600,
  keeper: 400,
  author: 400,
  latecomer: 400,
  'guest inside': 600,
  'former subscriber': 400,
  'former guest': 600,
  deactivated: 400,
} as const

/**
 * Builds the organization in which all rows of the table are tried. `isSmall`: without the web-public channel, the former
 * guest and its own time limits, since the costs of operations are measured in it.
 */
export async function createOrganization({ isSmall = false } = {}): Promise<Organization> {
  world.clockOffset = -OLD
  const { realm } = await buildRealm({}, { name: 'Matrix' })
  const { realm: elsewhere } = await buildRealm({}, { name: 'Elsewhere' })
  const people = await hire(realm, isSmall)
  world.clockOffset = 0
  people.newMember = await buildUser(realm, { name: 'newcomer' })
  const sessions = isSmall ? {} : await logIn(realm, elsewhere, people)
  await giveRights(realm)
  const moderation = await makeChannel(people, 'reports', { invite_only: true })
  expectSuccess(
    await realm.owner.api.patch('/realm', {
      moderation_request_channel_id: moderation,
      waiting_period_threshold: 3,
      ...(isSmall ? {} : Object.fromEntries(TIME_LIMITS.map((name) => [name, LIMIT_SECONDS]))),
    }),
  )
  // Mail about missed messages is not due while the requests are made.
  await changeRealm(realm, ({ sql }) => {
    const late = `json_set(settings, '$.email_notifications_batching_period_seconds', ${7 * DAY})`
    sql.run(`UPDATE user SET settings = ${late}`)
  })
  const things = await makeThings(realm, people)
  const destinations = {} as Record<Destination, DestinationThings>
  for (const destination of DESTINATIONS_OF.messages) {
    if (destination !== 'web-public' || !isSmall)
      destinations[destination] = await makeDestination(people, destination)
  }
  await part(realm, people, destinations)
  if (!isSmall) await openToTheWeb(realm, destinations['web-public'].channelId)
  const { url } = expectSuccess(await people.author.api.get(destinations.public.file))
  // The secret in the URLs of exports is made when it is first needed, as well.
  expectSuccess(await people.owner.api.get('/export/realm'))
  await settle(realm)
  const ids = Object.fromEntries(Object.entries(people).map(([actor, { id }]) => [actor, id]))
  const clients = Object.fromEntries(Object.entries(people).map(([actor, { api }]) => [actor, api]))
  const { email, apiKey } = elsewhere.owner
  return {
    realm,
    cast: {
      ...clients,
      'other organization': new ApiClient({ host: realm.host, realmId: realm.id, email, apiKey }),
      anonymous: realm.anonymous,
      visitor: realm.anonymous,
    } as Organization['cast'],
    ids: ids as Organization['ids'],
    sessions,
    destinations,
    things: { ...things, temporary: url },
  }
}

/** Changes to the organization and the clock while the requests of a section are made. */
interface Situation {
  begin(of: Organization): Promise<void>
  end(of: Organization): Promise<void>
  /** Seconds that have passed since the messages were sent. */
  readonly seconds?: number
}

/** Visitors: the deployment's switch is on only for their requests (`asVisitor`). */
async function openToTheWeb(realm: TestRealm, channelId: number): Promise<void> {
  await asVisitor(async () => {
    await allowSpectators(realm)
    expectSuccess(await realm.owner.api.patch(`/streams/${channelId}`, { is_web_public: true }))
  })
}

/** Runs a function while the deployment allows organizations to have web-public channels. */
export async function asVisitor<R>(act: () => Promise<R>): Promise<R> {
  const { settings } = world
  world.settings = { ...settings, ...WEB_PUBLIC }
  try {
    return await act()
  } finally {
    world.settings = settings
  }
}

/** Opens a session for everybody, as a login does, but without checking passwords, which takes a tenth of a second each. */
async function logIn(
  realm: TestRealm,
  elsewhere: TestRealm,
  people: People,
): Promise<Organization['sessions']> {
  const sessions: Partial<Record<Actor, SessionOfBrowser>> = {}
  const enter = async (actor: Actor, at: TestRealm, userId: number) => {
    const session = await newSession()
    sessions[actor] = session
    await changeRealm(at, (tx) =>
      insertBrowserSession(
        tx.sql,
        { userId, digest: session.digest, userAgent: '', proof: { method: 'password' } },
        tx.now,
      ),
    )
  }
  const humans = Object.entries(people).filter(([actor]) => !actor.endsWith('bot'))
  for (const [actor, { id }] of humans) await enter(actor as Actor, realm, id)
  await enter('other organization', elsewhere, elsewhere.owner.id)
  return sessions
}

const guestsSee = async ({ realm }: Organization, group: 'role:everyone' | 'role:members') => {
  const params = { can_access_all_users_group: { new: systemGroupId(group) } }
  expectSuccess(await realm.owner.api.patch('/realm', params))
}

/** Situations by section of the table. */
export const SITUATIONS: Readonly<Record<string, Situation>> = {
  'After the time limits': { begin: async () => {}, end: async () => {}, seconds: 2 * LIMIT_SECONDS },
  'Where guests see only some people': {
    begin: (of) => guestsSee(of, 'role:members'),
    end: (of) => guestsSee(of, 'role:everyone'),
  },
}

/** Delivers mail and does all other due work, so that nothing changes by itself while the requests are made. */
export async function settle(realm: TestRealm): Promise<void> {
  const isSettled = () =>
    inRealm(realm, (_object, { storage: { sql } }) => {
      const due = `SELECT count(*) AS n FROM job WHERE due_at <= unixepoch() + 60`
      const unsent = `SELECT count(*) AS n FROM email WHERE sent_at IS NULL`
      return sql.exec<{ n: number }>(`SELECT sum(n) AS n FROM (${due} UNION ALL ${unsent})`).one().n === 0
    })
  for (let run = 0; run < 100 && !(await isSettled()); run += 1) {
    await runDurableObjectAlarm(realmStub(realm.id))
    await scheduler.wait(10)
  }
}

/** Creates everybody who is there from the beginning. */
async function hire(realm: TestRealm, isSmall: boolean): Promise<People> {
  const people = { owner: realm.owner } as People
  for (const [name, role] of Object.entries(ROLES) as [keyof typeof ROLES, 400][]) {
    if (isSmall && name === 'former guest') continue
    people[name] = await buildUser(realm, { name, role })
  }
  people['own bot'] = await createBot(people.author, 'own bot', { bot_type: 3, payload_url: HOOK })
  people["another's bot"] = await createBot(people.member, 'other bot')
  return people
}

/** Permissions of full members in the table's organization. */
const FOR_FULL_MEMBERS = [
  'can_create_public_channel_group',
  'can_create_private_channel_group',
  'can_create_bots_group',
  'can_create_groups',
  'can_add_custom_emoji_group',
  'can_invite_users_group',
  'can_add_subscribers_group',
  'can_move_messages_between_channels_group',
]

async function giveRights({ owner }: TestRealm): Promise<void> {
  const group = { new: systemGroupId('role:fullmembers') }
  const rights = Object.fromEntries(FOR_FULL_MEMBERS.map((name) => [name, group]))
  expectSuccess(await owner.api.patch('/realm', rights))
}

/** Users who are subscribed from the beginning. */
const FIRST = [
  'keeper',
  'author',
  'guest inside',
  'former subscriber',
  'former guest',
  'deactivated',
] as const

async function makeChannel(
  people: People,
  name: string,
  settings: Record<string, ParameterValue>,
): Promise<number> {
  const subscribers = FIRST.filter((actor) => actor in people).map((actor) => people[actor].id)
  const params = { name, subscribers, send_new_subscription_messages: false, ...settings }
  return expectSuccess(await people.keeper.api.post('/channels/create', params)).id
}

const CHANNEL_SETTINGS: Partial<Record<Destination, Record<string, ParameterValue>>> = {
  public: {},
  'web-public': {},
  shared: { invite_only: true, history_public_to_subscribers: true },
  protected: { invite_only: true, history_public_to_subscribers: false },
  archived: {},
}

async function makeDestination(people: People, destination: Destination): Promise<DestinationThings> {
  const mark = `mark-${destination}`
  const [channel, topic] = [`${mark} channel`, `${mark} topic`]
  const nowhere = { channelId: 777_001, messageId: 777_002, pollId: 777_003, pinId: 777_004, people: [] }
  const file = '/user_uploads/1/ab/cdefghijklmnop/absent.txt'
  if (destination === 'nowhere') return { mark, channel, topic, file, ...nowhere }
  const settings = CHANNEL_SETTINGS[destination]
  const inside = destination === 'group' ? [people.keeper, people['guest inside']] : [people.keeper]
  const channelId = settings ? await makeChannel(people, channel, settings) : nowhere.channelId
  const say = async (content: string): Promise<number> => {
    if (!settings) return sendDirect(people.author, inside, content)
    const message = { type: 'channel', to: channelId, topic, content }
    return expectSuccess(await people.author.api.post('/messages', message)).id
  }
  const url = await upload(people.author, pngOf(16, 16, `${mark}.png`))
  const messageId = await say(`${mark} [file](${url})`)
  expectSuccess(await people.author.api.post(`/messages/${messageId}/reactions`, { emoji_name: 'tada' }))
  const pollId = await say(`/poll ${mark}?`)
  const pin = () => people.keeper.api.post(`/streams/${channelId}/pins`, { topic })
  const pinId = settings ? expectSuccess(await pin()).id : nowhere.pinId
  const ids = settings ? [] : [people.author, ...inside].map(({ id }) => id)
  return { mark, channel, topic, channelId, messageId, pollId, pinId, people: ids, file: url }
}

/** Adds the users who came later, removes the users who leave, and deactivates and archives what is to be so. */
async function part(
  realm: TestRealm,
  people: People,
  destinations: Record<Destination, DestinationThings>,
): Promise<void> {
  const channels = DESTINATIONS_OF.channels
    .filter((destination) => destination !== 'nowhere' && destination in destinations)
    .map((destination) => destinations[destination])
  const names = channels.map(({ channel }) => channel)
  const subscriptions = names.map((name) => ({ name }))
  const late = { subscriptions, principals: [people.latecomer.id], send_new_subscription_messages: false }
  expectSuccess(await people.keeper.api.post('/users/me/subscriptions', late))
  expectSuccess(
    await people['former subscriber'].api.delete('/users/me/subscriptions', { subscriptions: names }),
  )
  await leaveAll(people.guest)
  if ('former guest' in people) await leaveAll(people['former guest'])
  expectSuccess(await people.owner.api.delete(`/users/${people.deactivated.id}`))
  expectSuccess(await realm.owner.api.delete(`/streams/${destinations.archived.channelId}`))
}

async function leaveAll({ api }: TestUser): Promise<void> {
  const { subscriptions } = expectSuccess(await api.get('/users/me/subscriptions'))
  const names = subscriptions.map(({ name }: { name: string }) => name)
  expectSuccess(await api.delete('/users/me/subscriptions', { subscriptions: names }))
}

async function makeThings(realm: TestRealm, people: People) {
  const { author, owner } = people
  const post = async (path: string, params: Record<string, ParameterValue>, by = author) =>
    expectSuccess(await by.api.post(path, params))
  const note = await sendDirect(author, [author], 'to oneself')
  const quiet = await buildUser(realm, { name: 'quiet' })
  const secondOwner = await buildUser(realm, { name: 'second owner', role: 100 })
  for (const actor of ACCOUNTS.filter((one) => one in people)) {
    const { api } = people[actor as keyof People]
    expectSuccess(await api.post(`/users/me/muted_users/${quiet.id}`))
  }
  await post('/users/me/presence', { status: 'active' })
  await post('/users/me/apns_device_token', { token: 'ab'.repeat(32), appid: 'org.example' })
  await post('/users/me/android_gcm_reg_id', { token: 'fcm-token' })
  const { wanted, kept, waiting } = await changeRealm(realm, (tx) => {
    addDeadLetter(tx, {
      kind: 'mail',
      description: 'A mail',
      firstTriedAt: null,
      attempts: 3,
      error: 'refused',
      payload: {},
    })
    tx.sql.run(
      `INSERT INTO realm_export (type, acting_user_id, origin, secret, newest_message_id, consenting, started_at, finished_at, size)
       VALUES (1, ?, 'http://x', 'x', 0, '[]', 1, 2, 3)`,
      owner.id,
    )
    tx.sql.run(
      `INSERT INTO realm_import (acting_user_id, name, archive_path, size, secret, started_at, progress, report)
       VALUES (?, 'x', 'x', 1, 'x', 1, '{"stage":"wait"}',
       '{"records":[],"found":[],"passedOver":[],"problems":[],"problemsListed":0,"written":[],"firstTime":null,"characters":0,"fileBytes":0}')`,
      owner.id,
    )
    tx.sql.run(
      `INSERT INTO realm_import_mapping (import_id, mapping)
       SELECT max(id), '{"users":{},"channels":{},"profile_fields":{},"topic":"x","private_channels":true,"direct_messages":true,"settings":false}'
       FROM realm_import`,
    )
    return {
      wanted: tx.sql.first<{ id: number }>(`SELECT max(id) AS id FROM dead_letter`)!.id,
      kept: tx.sql.first<{ id: number }>(`SELECT max(id) AS id FROM realm_export`)!.id,
      waiting: tx.sql.first<{ id: number }>(`SELECT max(id) AS id FROM realm_import`)!.id,
    }
  })
  expectSuccess(await postFiles(author, '/realm/emoji/theirs', [pngOf(16, 16)]))
  const scheduled = { type: 'direct', to: [author.id], content: 'later', scheduled_delivery_timestamp: LATER }
  const field = { name: 'Field', field_type: 1, field_data: {} }
  const group = {
    name: 'readers',
    description: '',
    members: [author.id],
    can_join_group: systemGroupId('role:nobody'),
  }
  const invite = { stream_ids: [] }
  await post('/invites', { ...invite, invitee_emails: 'invited@example.com' })
  await post('/invites', { ...invite, invitee_emails: 'boss@example.com', invite_as: 100 }, secondOwner)
  await post('/invites/multiuse', {}, owner)
  const { invites } = expectSuccess(await owner.api.get('/invites')) as {
    invites: { id: number; is_multiuse: boolean; invited_as: number; link_url?: string }[]
  }
  const { emoji } = expectSuccess(await owner.api.get('/realm/emoji'))
  const theirs = Object.values(emoji as Record<string, { name: string; source_url: string }>)[0]!
  await post('/scim_token', {}, owner)
  const { messageId: hallMessage, id: hall } = await openHall(people)
  // Off, so that the ways to log in are those of a new organization.
  const loginProvider = await addLoginProvider(realm, 'work', { is_enabled: false })
  const unclaimed = await upload(author, { name: 'unclaimed.txt' })
  const { attachments } = expectSuccess(await author.api.get('/attachments'))
  return {
    authorEmail: author.email,
    botKey: people['own bot'].apiKey,
    temporary: '',
    joinPath: new URL(invites.find(({ link_url }) => link_url)!.link_url!).pathname,
    emojiPath: theirs.source_url as string,
    hall,
    hallMessage,
    quiet,
    secondOwner,
    note,
    later: LATER,
    deadLetter: wanted,
    export: kept,
    import: waiting,
    hold: (await post('/realm/holds', { user_id: quiet.id, reason: 'x' }, owner)).id as number,
    draft: (await post('/drafts', { drafts: [{ type: '', to: [], topic: '', content: 'draft' }] })).ids[0],
    snippet: (await post('/saved_snippets', { title: 'one', content: 'two' })).saved_snippet_id,
    reminder: (await post('/reminders', { message_id: note, scheduled_delivery_timestamp: LATER }))
      .reminder_id,
    scheduled: (await post('/scheduled_messages', scheduled)).scheduled_message_id,
    view: (await post('/navigation_views', { fragment: 'kept', is_pinned: true, name: 'Kept' })) && 'kept',
    queue: (await openQueue(author)).id,
    upload: await beginUpload(author, 10),
    archive: await beginArchive(owner, 10),
    attachment: attachments[0].id as number,
    unclaimed,
    device: (await post('/register_client_device', {})).device_id,
    session: await changeRealm(realm, (tx) =>
      insertBrowserSession(
        tx.sql,
        { userId: author.id, digest: 'ab'.repeat(32), userAgent: '', proof: { method: 'password' } },
        tx.now,
      ),
    ),
    loginProvider,
    loginIdentity: await connectTo(realm, loginProvider, author),
    group: (await post('/user_groups/create', group)).group_id,
    folder: (await post('/channel_folders/create', { name: 'Folder', description: '' }, owner))
      .channel_folder_id,
    defaultGroup: await makeDefaultGroup(owner),
    linkifier: (
      await post(
        '/realm/filters',
        { pattern: '#(?P<id>[0-9]+)', url_template: 'https://x.example/{id}' },
        owner,
      )
    ).id,
    playground: (
      await post(
        '/realm/playgrounds',
        { name: 'Play', pygments_language: 'Python', url_template: 'https://x.example/{code}' },
        owner,
      )
    ).id,
    domain: (await post('/realm/domains', { domain: 'example.com', allow_subdomains: false }, owner))
      .new_domain as string,
    field: (await post('/realm/profile_fields', field, owner)).id,
    invitation: invites.find(({ is_multiuse, invited_as }) => !is_multiuse && invited_as === 400)!.id,
    ownersInvitation: invites.find(({ invited_as }) => invited_as === 100)!.id,
    link: invites.find(({ is_multiuse }) => is_multiuse)!.id,
  }
}

/** A public channel to which messages may be moved; it is a default channel, and in a group of channels. */
async function openHall(people: People) {
  const id: number = expectSuccess(
    await people.keeper.api.post('/channels/create', { name: 'hall', subscribers: [people.keeper.id] }),
  ).id
  expectSuccess(await people.owner.api.post('/default_streams', { stream_id: id }))
  expectSuccess(
    await people.keeper.api.post('/channels/create', { name: 'annex', subscribers: [people.keeper.id] }),
  )
  const message = { type: 'channel', to: id, topic: 'hall', content: 'hello' }
  return { id, messageId: expectSuccess(await people.keeper.api.post('/messages', message)).id as number }
}

async function makeDefaultGroup(owner: TestUser): Promise<number> {
  const group = { group_name: 'first', description: '', stream_names: ['annex'] }
  expectSuccess(await owner.api.post('/default_stream_groups/create', group))
  const { realm_default_stream_groups } = expectSuccess(
    await owner.api.post('/register', { fetch_event_types: ['default_stream_groups'] }),
  )
  return realm_default_stream_groups[0].id
}
