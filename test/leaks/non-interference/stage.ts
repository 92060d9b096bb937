import { askWorker, type ParameterValue } from '../../support/api.ts'
import { Browser } from '../../support/browsing.ts'
import type { TestStream } from '../../support/event-streams.ts'
import {
  buildChannel,
  buildUser,
  createBot,
  expectSuccess,
  type TestRealm,
  type TestUser,
} from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { authorization, upload } from '../../support/uploads.ts'
import { buildRealm } from '../../support/use-realm.ts'

export type Fields = Readonly<Record<string, ParameterValue | undefined>>

/**
 * The kinds of users that X can be. `shy guest`: a guest who sees only the users they share a channel or a conversation
 * with.
 */
export const LOOKERS = ['member', 'guest', 'shy guest', 'moderator', 'administrator', 'bot', 'owner'] as const
export type Looker = (typeof LOOKERS)[number]

export interface StageChannel {
  readonly id: number
  readonly name: string
}

/** A message, and the author's requests about it. */
export interface Said {
  readonly id: number
  readonly author: TestUser
  /** The channel's id; undefined in a direct conversation. */
  readonly channel: StageChannel | undefined
  readonly topic: string
  readonly isPoll: boolean
}

/** An answer that X got: the request, in words that are the same in both organizations, and every byte of the answer. */
export interface Heard {
  readonly asked: string
  readonly answer: string
}

/** One of the two organizations in which a history is played. */
export interface Stage {
  readonly looker: Looker
  readonly realm: TestRealm
  /** X, the user whose answers are compared. */
  readonly x: TestUser
  readonly owner: TestUser
  /** Members. Cid hides as much as settings allow; Sam shares no channel with X. */
  readonly ann: TestUser
  readonly ben: TestUser
  readonly cid: TestUser
  readonly sam: TestUser
  readonly bot: TestUser
  readonly channels: {
    /** A public channel that X is subscribed to. */
    readonly lobby: StageChannel
    /** A public channel that X is not subscribed to: not visible to guests. */
    readonly square: StageChannel
    /** A private channel with shared history that X is subscribed to. */
    readonly den: StageChannel
    /** A private channel with protected history; X subscribes and leaves again and again. */
    readonly attic: StageChannel
    /** A private channel with shared history that X was once subscribed to. */
    readonly past: StageChannel
    /** A private channel with shared history that X is not subscribed to. */
    readonly vault: StageChannel
  }
  isInAttic: boolean
  /** The URL of a file that was moved to `past` while X was subscribed. */
  readonly file: string
  /** The actions that are done in both organizations, in the same order. */
  readonly shared: Said[]
  readonly secret: Secrets
  /** X's queue, read by polls. */
  readonly queues: { readonly id: string; lastEventId: number }[]
  /** X's stream, on a queue of its own with the options of the first one; undefined before it is opened. */
  stream: TestStream | undefined
  /** The browser in which X is logged in; undefined for a bot. */
  readonly browser: Browser | undefined
  readonly heard: Heard[]
  /** Seconds that have passed, the same in both organizations. */
  now(): number
}

/** Data of which X must learn nothing; some exist in only one of the organizations. */
export interface Secrets {
  readonly messages: Said[]
  readonly channels: StageChannel[]
  readonly kept: Record<Kept, number[]>
  readonly queues: string[]
  numbers: number
}

const KEPT = ['draft', 'saved_snippet', 'scheduled_message', 'reminder', 'attachment', 'invitation'] as const
export type Kept = (typeof KEPT)[number]

/**
 * The first id of each kind: they are so far apart that a number in an answer shows its kind, wherever it is. Tables that
 * are missing here have no secrets in them, so their ids must be the same.
 */
const ID_STARTS: Readonly<Record<string, number>> = {
  user: 10_000_000,
  channel: 11_000_000,
  user_group: 14_000_000,
  draft: 15_000_000,
  saved_snippet: 16_000_000,
  scheduled_message: 17_000_000,
  reminder: 18_000_000,
  attachment: 19_000_000,
  submessage: 20_000_000,
  invitation: 21_000_000,
  invitation_link: 22_000_000,
  client_device: 23_000_000,
  conversation: 24_000_000,
  realm_export: 25_000_000,
}
const FIRST_MESSAGE_ID = 12_000_000
const FIRST_EVENT_ID = 13_000_000

/** Returns an id of this kind that does not exist: `absentId('draft', 0)`. */
export function absentId(kind: Kept | 'channel' | 'message', number: number): number {
  const start = kind === 'message' ? FIRST_MESSAGE_ID : ID_STARTS[kind]!
  return start + 9_000 + number
}

/** Matches ids as they appear in answers, including those of recipients (three times the id and something). */
export const IDS = /(?<!\d)(?:1[0-9]|2[0-5]|3[0-3]|7[2-5])00\d{4}(?!\d)/g

async function spreadIds(realm: TestRealm): Promise<void> {
  await inRealm(realm, (object, { storage: { sql } }) => {
    for (const [table, start] of Object.entries(ID_STARTS)) {
      sql.exec(`DELETE FROM sqlite_sequence WHERE name = ?`, table)
      sql.exec(`INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)`, table, start)
    }
    sql.exec(`INSERT OR REPLACE INTO meta (key, value) VALUES ('message_id_floor', ?)`, FIRST_MESSAGE_ID)
    object.change((tx) => object.parts.ids.raiseTo(tx.sql, FIRST_EVENT_ID))
  })
}

type Role = 100 | 200 | 300 | 400 | 600

const ROLES: Readonly<Record<Exclude<Looker, 'bot'>, Role>> = {
  owner: 100,
  administrator: 200,
  moderator: 300,
  member: 400,
  guest: 600,
  'shy guest': 600,
}

/** Founds an organization with its cast, the same for the same kind of X except for host, keys and ids. */
export async function openStage(looker: Looker, now: () => number): Promise<Stage> {
  const domain = 'castle.example'
  const { realm } = await buildRealm({}, { name: 'Castle', ownerEmail: `olga@${domain}` })
  await spreadIds(realm)
  const { owner } = realm
  const person = (name: string, role?: Role) =>
    buildUser(realm, { name, email: `${name.toLowerCase()}@${domain}`, role })
  const [ann, ben, cid, sam] = [
    await person('Ann'),
    await person('Ben'),
    await person('Cid'),
    await person('Sam'),
  ]
  const bot = await createBot(ben, 'Helper')
  const x =
    looker === 'bot' ? await createBot(await person('Dan'), 'Xenia') : await person('Xenia', ROLES[looker])
  const privateTo = { invite_only: true, history_public_to_subscribers: true }
  const inside = [owner, ann, ben, cid, bot]
  const channels = {
    lobby: await buildChannel([...inside, x], { name: 'lobby' }),
    square: await buildChannel([...inside, sam], { name: 'square' }),
    den: await buildChannel([...inside, x], { name: 'den', ...privateTo }),
    attic: await buildChannel(inside, { name: 'attic', ...privateTo, history_public_to_subscribers: false }),
    past: await buildChannel([...inside, x], { name: 'past', ...privateTo }),
    vault: await buildChannel([...inside, sam], { name: 'vault', ...privateTo }),
  }
  const file = await upload(ann, { name: 'plans.txt', content: 'Plans' })
  await sendTo(ann, channels.past.id, 'files', `[plans.txt](${file})`)
  const stage: Stage = {
    file,
    looker,
    realm,
    x,
    owner,
    ann,
    ben,
    cid,
    sam,
    bot,
    channels,
    isInAttic: false,
    shared: [],
    secret: {
      messages: [],
      channels: [channels.vault],
      kept: Object.fromEntries(KEPT.map((kind) => [kind, [] as number[]])) as Record<Kept, number[]>,
      queues: [],
      numbers: 0,
    },
    queues: [],
    stream: undefined,
    browser: looker === 'bot' ? undefined : await logIn(x),
    heard: [],
    now,
  }
  await furnish(stage)
  return stage
}

async function logIn({ api, email }: TestUser): Promise<Browser> {
  const browser = new Browser(api.host)
  const { status } = await browser.logIn(email, 'a fine password')
  if (status !== 302) throw new Error(`X could not log in: ${status}`)
  return browser
}

/** Creates the data that exists before the history begins. */
async function furnish(stage: Stage): Promise<void> {
  const { owner, ann, ben, cid, sam, x, channels, looker } = stage
  const { subscriptions } = expectSuccess(await sam.api.get('/users/me/subscriptions'))
  const met = subscriptions
    .map(({ name }: StageChannel) => name)
    .filter((name: string) => !(name in channels))
  if (met.length > 0) expectSuccess(await sam.api.delete('/users/me/subscriptions', { subscriptions: met }))
  for (const { id, name } of Object.values(channels)) await sendTo(ann, id, 'first', `Welcome to the ${name}`)
  expectSuccess(
    await owner.api.delete('/users/me/subscriptions', {
      subscriptions: [channels.past.name],
      principals: [x.id],
    }),
  )
  expectSuccess(
    await cid.api.patch('/settings', {
      presence_enabled: false,
      send_read_receipts: false,
      email_address_visibility: 4,
    }),
  )
  const limits = {
    message_content_edit_limit_seconds: 'unlimited',
    message_content_delete_limit_seconds: 'unlimited',
  }
  expectSuccess(await owner.api.patch('/realm', limits))
  expectSuccess(await x.api.post('/users/me/alert_words', { alert_words: ['zebra'] }))
  await sendDirect(ann, [x], 'Hello')
  await sendDirect(ben, [x, ann], 'Hello both')
  if (looker === 'shy guest') {
    const members = { can_access_all_users_group: { new: await systemGroup(stage, 'role:members') } }
    expectSuccess(await owner.api.patch('/realm', members))
  }
}

async function systemGroup({ owner }: Stage, name: string): Promise<number> {
  const { user_groups } = expectSuccess(await owner.api.get('/user_groups'))
  return user_groups.find((group: { name: string }) => group.name === name).id
}

/** One of this many requests goes below /json, from X's browser. */
const ASKED_BY_BROWSER = 3

/** Makes a request as X, and records every byte of the answer. Returns the body's text. */
export async function askAsX(
  stage: Stage,
  asked: string,
  { method = 'GET', path, fields = {}, secret = [], byKey = false }: Question,
): Promise<string> {
  const browser = !byKey && stage.heard.length % ASKED_BY_BROWSER === 0 ? stage.browser : undefined
  const root = path.startsWith('/user_') ? '' : browser ? '/json' : '/api/v1'
  const url = new URL(`http://${stage.realm.host}${root}${path}`)
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  if (method === 'GET') url.search = form.toString()
  const response = await askWorker(
    new Request(url, {
      method,
      headers: { 'User-Agent': 'Mozilla/5.0', ...(browser ? sessionOf(browser) : authorization(stage.x)) },
      redirect: 'manual',
      ...(method === 'GET' ? {} : { body: form }),
    }),
  )
  const text = await response.text()
  if (response.status >= 500) throw new Error(`${asked}: ${response.status} ${text}`)
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`)
  let answer = [response.status, ...headers, text].join('\n')
  // X has sent these values, and learns nothing from getting them back.
  for (const value of secret) answer = answer.replaceAll(String(value), 'what was asked for')
  stage.heard.push({ asked, answer })
  return text
}

function sessionOf({ origin, cookies }: Browser): Record<string, string> {
  return {
    Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'X-CSRFToken': cookies.get('csrftoken') ?? '',
    Origin: origin,
  }
}

export interface Question {
  readonly method?: string
  /** The path below /api/v1; that of a file as it is. */
  readonly path: string
  readonly fields?: Fields
  /** Ids and names in the request that X can only have guessed; they differ between the organizations. */
  readonly secret?: readonly (string | number)[]
  /** Whether it never comes from the browser. */
  readonly byKey?: boolean
}
