/**
 * Fills the demo organization: people, channels, and weeks of conversations. It uses the same operations as
 * requests do, but through the development Worker's `POST /dev/run`, because messages need times in the past
 * and accounts need roles.
 */

import { hashPassword } from '../src/hasher/password-hash.ts'
import type { DemoMessage } from './demo-conversations.ts'
import { writeDemoMessages } from './demo-conversations.ts'
import { DEMO_BOT, DEMO_CHANNELS, DEMO_PASSWORD, DEMO_PEOPLE, type DemoPerson } from './demo-people.ts'
import { type CreatedOrganization, readAnswer } from './organizations.ts'

export { DEMO_PASSWORD }
export const DEMO_ORGANIZATION = 'Harbour Books'
export const DEMO_OWNER = { email: DEMO_PEOPLE[0].email, full_name: DEMO_PEOPLE[0].full_name }

const ROLE_NUMBERS: Record<DemoPerson['role'], number> = {
  owner: 100,
  administrator: 200,
  moderator: 300,
  member: 400,
  guest: 600,
}
const MESSAGES_A_CALL = 150
/** The numbers of newest messages, and of newest direct ones, that only their senders have read. */
const UNREAD = 150
const UNREAD_DIRECT = 25
/** In channels that everybody is in, the owner has starred one in this many messages. */
const STARRED_EVERY = 25

/** Parameters that a request may leave out: `POST /dev/run` passes values on as they are, and adds no defaults. */
const SUBSCRIBE_DEFAULTS = {
  is_web_public: false,
  is_default_stream: false,
  announce: false,
  authorization_errors_fatal: true,
  send_new_subscription_messages: false,
}

const PRESENCE_DEFAULTS = { ping_only: true, new_user_input: true, slim_presence: true }

interface Operation {
  operation: string
  user_id: number
  params: Record<string, unknown>
  /** UNIX seconds at which it happens. */
  now: number
}

type Outcome =
  | { ok: true; value: Record<string, unknown> }
  | { ok: false; error: { code: string; msg: string } }

/**
 * @param now UNIX seconds: everything in the demo is older.
 * @returns the numbers of people, channels and messages, for display.
 * @throws {Error} at the first operation that the server refuses.
 */
export async function fillDemoOrganization(
  url: string,
  organization: CreatedOrganization,
  now = Math.floor(Date.now() / 1000),
): Promise<{ users: number; channels: number; messages: number }> {
  const messages = writeDemoMessages(now)
  const began = (messages[0]?.at ?? now) - 3600
  const userIds = await createPeople(url, organization.user_id, began)
  await createChannels(url, userIds, began)
  const ids = await sendMessages(url, userIds, messages)
  await readMostOfThem(url, userIds, messages, ids, now)
  await showPeople(url, userIds, now)
  // As in organizations that people found in the page; only now, so that none of these messages asks other servers.
  const params = { inline_url_embed_preview: true }
  await runAll(url, [{ operation: 'update-realm', user_id: organization.user_id, params, now }])
  return { users: userIds.length, channels: DEMO_CHANNELS.length, messages: messages.length }
}

/** @returns the people's user ids, in the order of DEMO_PEOPLE, and then the bot's. */
async function createPeople(url: string, owner: number, now: number): Promise<number[]> {
  const others = DEMO_PEOPLE.slice(1)
  await runAll(url, [{ operation: 'dev-begin-now', user_id: owner, params: {}, now }])
  const password_hash = await hashPassword(DEMO_PASSWORD)
  const created = await runAll(
    url,
    others.map(({ email, full_name }) => ({
      operation: 'dev-create-user',
      user_id: owner,
      params: { email, full_name, password: DEMO_PASSWORD, password_hash },
      now,
    })),
  )
  const ids = [owner, ...created.map((answer) => answer.user_id as number)]
  await runAll(
    url,
    others.flatMap(({ role }, index) => {
      if (role === 'member') return []
      const params = { user_id: ids[index + 1], role: ROLE_NUMBERS[role] }
      return [{ operation: 'update-user', user_id: owner, params, now }]
    }),
  )
  const params = { ...DEMO_BOT, bot_type: 1, payload_url: '', interface_type: 1 }
  const [bot] = await runAll(url, [{ operation: 'create-bot', user_id: owner, params, now }])
  return [...ids, bot?.user_id as number]
}

async function createChannels(url: string, userIds: readonly number[], now: number): Promise<void> {
  const owner = userIds[0] as number
  await runAll(
    url,
    DEMO_CHANNELS.map((channel) => ({
      operation: 'subscribe',
      user_id: owner,
      params: {
        ...SUBSCRIBE_DEFAULTS,
        subscriptions: [{ name: channel.name, description: channel.description }],
        principals: channel.people.map((person) => userIds[person]),
        invite_only: channel.invite_only ?? false,
      },
      now,
    })),
  )
}

/** Sends the messages in the order of their times. Reactions follow each batch, since they need its ids. */
async function sendMessages(
  url: string,
  userIds: readonly number[],
  messages: DemoMessage[],
): Promise<number[]> {
  const ids: number[] = []
  for (let start = 0; start < messages.length; start += MESSAGES_A_CALL) {
    const batch = messages.slice(start, start + MESSAGES_A_CALL)
    const sent = await runAll(
      url,
      batch.map((message) => ({
        operation: 'send-message',
        user_id: userIds[message.sender] as number,
        params: {
          ...('channel' in message.to
            ? { type: 'channel', to: message.to.channel, topic: message.to.topic }
            : { type: 'direct', to: JSON.stringify(message.to.people.map((person) => userIds[person])) }),
          content: message.content,
          read_by_sender: true,
        },
        now: message.at,
      })),
    )
    const batchIds = sent.map((answer) => answer.id as number)
    ids.push(...batchIds)
    const end = batch.at(-1)?.at ?? 0
    await runAll(
      url,
      batch.flatMap((message, index) =>
        message.reactions.map(({ emoji_name, person }) => ({
          operation: 'add-reaction',
          user_id: userIds[person] as number,
          params: { message_id: batchIds[index], emoji_name },
          now: end,
        })),
      ),
    )
  }
  return ids
}

async function readMostOfThem(
  url: string,
  userIds: readonly number[],
  messages: DemoMessage[],
  ids: number[],
  now: number,
): Promise<void> {
  const idsTo = (wanted: (to: DemoMessage['to']) => boolean) =>
    ids.filter((_, index) => wanted((messages[index] as DemoMessage).to))
  const unread = new Set([...ids.slice(-UNREAD), ...idsTo((to) => 'people' in to).slice(-UNREAD_DIRECT)])
  // Starts at the demo's first message, since notices of new channels come before it.
  const all = Array.from({ length: ids.at(-1) ?? 0 }, (_, index) => index + 1)
  const read = all.filter((id) => !unread.has(id))
  const general = idsTo((to) => 'channel' in to && to.channel === 'general')
  const starred = general.filter((_, index) => index % STARRED_EVERY === 0)
  const flag = (user_id: number, flag: string, messages: number[]): Operation => ({
    operation: 'update-flags',
    user_id,
    params: { messages, op: 'add', flag },
    now,
  })
  // Messages that a user has not received stay as they are.
  await runAll(url, [
    ...userIds.map((userId) => flag(userId, 'read', read)),
    flag(userIds[0] as number, 'starred', starred),
  ])
}

/** Adds what makes the demo lively: presence, statuses, and the traffic of channels. */
async function showPeople(url: string, userIds: readonly number[], now: number): Promise<void> {
  await runAll(url, [
    { operation: 'dev-renew-statistics', user_id: userIds[0] as number, params: {}, now },
    ...DEMO_PEOPLE.flatMap(({ status, awayMinutes }, index): Operation[] => {
      const user_id = userIds[index] as number
      const presence = { ...PRESENCE_DEFAULTS, status: 'active' }
      return [
        ...(status ? [{ operation: 'update-own-status', user_id, params: status, now }] : []),
        { operation: 'update-presence', user_id, params: presence, now: now - 60 * awayMinutes },
      ]
    }),
  ])
}

/** @throws {Error} at the first refused operation. */
async function runAll(url: string, calls: Operation[]): Promise<Record<string, unknown>[]> {
  if (calls.length === 0) return []
  const response = await fetch(`${url}/dev/run`, {
    method: 'POST',
    // As in ApiClient: a kept connection may end just as it is used again.
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ calls }),
  })
  const { answers } = (await readAnswer(response)) as { answers: Outcome[] }
  return answers.map((outcome, index) => {
    if (outcome.ok) return outcome.value
    const call = calls[index] as Operation
    throw new Error(
      `${call.operation} as user ${call.user_id} was refused: ${outcome.error.msg} (${JSON.stringify(call.params)})`,
    )
  })
}
