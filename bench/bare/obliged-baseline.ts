import { DurableObject } from 'cloudflare:workers'
import MarkdownIt from 'markdown-it'
import { SharedSlices } from '../../src/realm/calls/shared-slices.ts'
import { type BlocksObject, registerAnew } from './blocks.ts'

export { BlocksObject } from './blocks.ts'

interface Environment {
  readonly BLOCKS: DurableObjectNamespace<BlocksObject>
  readonly OBLIGED: DurableObjectNamespace<BaselineObject>
  readonly DB: D1Database
}

/** Steps of a request: each does what the steps before it do, and one thing more. */
const SEND_STEPS = ['form', 'caller', 'rows', 'markdown', 'bodies', 'turns'] as const
const PAGE_STEPS = ['caller', 'messages', 'details', 'fields'] as const
type SendStep = (typeof SEND_STEPS)[number]
type PageStep = (typeof PAGE_STEPS)[number]

interface Send {
  readonly channelId: number
  readonly topic: string
  readonly content: string
}

type StoredMessage = { id: number; topic: string; sender_id: number; sent_at: number; bits: number }
type Person = { id: number; name: string; email: string }
type Flag = { message_id: number; bits: number }
type Reaction = { message_id: number; emoji_code: string; user_id: number }
type Body = { message_id: number; content: string; rendered_content: string }

/** The object's answer for a page. */
interface Page {
  readonly messages: readonly StoredMessage[]
  readonly flags: readonly Flag[]
  readonly reactions: readonly Reaction[]
  readonly senders: readonly Person[]
}

/** The size of a registration: rows that are read for its personal part, that part's characters, and the blocks besides and their bytes together. */
interface Registration {
  readonly rows: number
  readonly personal: number
  readonly blocks: number
  readonly bytes: number
}

const CALLER = 1
const CHANNEL = 1
/** Ids of two organizations in D1, so that sends do not change the messages that are read. */
const READ_ORGANIZATION = 1
const WRITTEN_ORGANIZATION = 2
const PAGE = 100
const markdown = new MarkdownIt({ breaks: true })

/**
 * The work that the interface requires of every server, step by step, in the simplest way that the platform offers: it checks only the caller
 * and their permission, caches nothing, and has no listeners. Its processor time is the floor for Parley's.
 */
export class BaselineObject extends DurableObject<Environment> {
  readonly #bodies: [id: number, content: string, html: string][] = []
  #isWriting = false
  readonly #turns = new SharedSlices(() => 0)

  constructor(context: DurableObjectState, env: Environment) {
    super(context, env)
    const { sql } = context.storage
    sql.exec(`
      CREATE TABLE IF NOT EXISTS person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, key_digest TEXT NOT NULL UNIQUE);
      CREATE TABLE IF NOT EXISTS subscription (channel_id INTEGER, user_id INTEGER, PRIMARY KEY (channel_id, user_id)) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS topic (id INTEGER PRIMARY KEY, channel_id INTEGER NOT NULL, name TEXT NOT NULL);
      CREATE UNIQUE INDEX IF NOT EXISTS topic_by_name ON topic (channel_id, name);
      CREATE TABLE IF NOT EXISTS message (
        id INTEGER PRIMARY KEY, channel_id INTEGER NOT NULL, topic_id INTEGER NOT NULL, sender_id INTEGER NOT NULL,
        sent_at INTEGER NOT NULL, bits INTEGER NOT NULL);
      CREATE INDEX IF NOT EXISTS message_by_channel ON message (channel_id);
      CREATE INDEX IF NOT EXISTS message_by_topic ON message (topic_id);
      CREATE TABLE IF NOT EXISTS log (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, event TEXT NOT NULL, writes TEXT);
      CREATE TABLE IF NOT EXISTS flag (user_id INTEGER, message_id INTEGER, bits INTEGER, PRIMARY KEY (user_id, message_id)) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS reaction (message_id INTEGER, emoji_code TEXT, user_id INTEGER, PRIMARY KEY (message_id, emoji_code, user_id)) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS queue (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL, event_id INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS version (family INTEGER, block INTEGER, version INTEGER, PRIMARY KEY (family, block)) WITHOUT ROWID;
    `)
  }

  /** Creates an account with this key, and a channel with this account as subscriber. */
  found(keyDigest: string): void {
    const { sql } = this.ctx.storage
    sql.exec(`INSERT INTO person VALUES (?, 'The Speaker', 'speaker@example.com', ?)`, CALLER, keyDigest)
    sql.exec(`INSERT INTO subscription VALUES (?, ?)`, CHANNEL, CALLER)
    sql.exec(`INSERT INTO topic (channel_id, name) VALUES (?, 'load')`, CHANNEL)
  }

  addVersions(count: number): void {
    this.ctx.storage.sql.exec(
      `INSERT OR REPLACE INTO version SELECT key / 100, key % 100, 1 FROM json_each(?)`,
      JSON.stringify(Array(count).fill(0)),
    )
  }

  send(step: SendStep, keyDigest: string, message: Send): number | Promise<number> {
    if (step !== 'turns') return this.#send(step, keyDigest, message)
    return this.#turns.take(message.content.length, async () => this.#send(step, keyDigest, message))
  }

  #send(step: SendStep, keyDigest: string, { channelId, topic, content }: Send): number {
    const { storage } = this.ctx
    const { sql } = storage
    const isDone = (one: SendStep) => SEND_STEPS.indexOf(step) >= SEND_STEPS.indexOf(one)
    if (!isDone('caller')) return this.#log(content)
    const person = this.#person(keyDigest)
    if (!isDone('rows')) return this.#log(content)
    const html = isDone('markdown') ? markdown.render(content) : content
    const id = storage.transactionSync(() => {
      this.#requireSubscribed(channelId, person.id)
      const found = [
        ...sql.exec<{ id: number }>(
          `SELECT id FROM topic WHERE channel_id = ? AND name = ?`,
          channelId,
          topic,
        ),
      ]
      const at = Math.floor(Date.now() / 1_000)
      const stored = sql
        .exec<{ id: number }>(
          `INSERT INTO message (channel_id, topic_id, sender_id, sent_at, bits) VALUES (?, ?, ?, ?, 0) RETURNING id`,
          channelId,
          found[0]!.id,
          person.id,
          at,
        )
        .one()
      const message = messageOf({ id: stored.id, topic, sender_id: person.id, sent_at: at, bits: 0 }, person)
      const event = { type: 'message', message: { ...message, content, rendered_content: html }, flags: [] }
      this.#log(JSON.stringify(event), JSON.stringify([stored.id, content, html]))
      return stored.id
    })
    if (isDone('bodies')) this.#project([id, content, html])
    return id
  }

  #log(event: string, writes: string | null = null): number {
    return this.ctx.storage.sql
      .exec<{ id: number }>(
        `INSERT INTO log (at, event, writes) VALUES (?, ?, ?) RETURNING id`,
        Math.floor(Date.now() / 1_000),
        event,
        writes,
      )
      .one().id
  }

  page(step: PageStep, keyDigest: string): Page {
    const { sql } = this.ctx.storage
    const person = this.#person(keyDigest)
    const page = { messages: [], flags: [], reactions: [], senders: [] }
    if (step === 'caller') return page
    this.#requireSubscribed(CHANNEL, person.id)
    const messages = [
      ...sql.exec<StoredMessage>(
        `SELECT m.id, t.name AS topic, m.sender_id, m.sent_at, m.bits FROM message m JOIN topic t ON t.id = m.topic_id
         WHERE m.channel_id = ? ORDER BY m.id DESC LIMIT ${PAGE}`,
        CHANNEL,
      ),
    ]
    if (step === 'messages') return { ...page, messages }
    const [first, last] = [messages.at(-1)!.id, messages[0]!.id]
    const people = JSON.stringify([...new Set(messages.map(({ sender_id }) => sender_id))])
    return {
      messages,
      flags: [
        ...sql.exec<Flag>(
          `SELECT message_id, bits FROM flag WHERE user_id = ? AND message_id BETWEEN ? AND ?`,
          person.id,
          first,
          last,
        ),
      ],
      reactions: [
        ...sql.exec<Reaction>(
          `SELECT message_id, emoji_code, user_id FROM reaction WHERE message_id BETWEEN ? AND ?`,
          first,
          last,
        ),
      ],
      senders: [
        ...sql.exec<Person>(
          `SELECT id, name, email FROM person WHERE id IN (SELECT value FROM json_each(?))`,
          people,
        ),
      ],
    }
  }

  /** Opens a queue and returns the version of each block of the snapshot, in one transaction. */
  register(): [block: number, version: number][] {
    const { storage } = this.ctx
    return storage.transactionSync(() => {
      storage.sql.exec(
        `INSERT INTO queue (user_id, event_id) VALUES (?, (SELECT COALESCE(MAX(id), 0) FROM log))`,
        CALLER,
      )
      return [
        ...storage.sql
          .exec<{ family: number; block: number; version: number }>(
            `SELECT family, block, version FROM version`,
          )
          .raw<[number, number, number]>(),
      ].map(([family, block, version]): [number, number] => [100 * family + block, version])
    })
  }

  /**
   * Finds the account by the digest of its key, reads rows for the personal part, opens a queue, and returns that part as one text with the
   * versions of all blocks, which are in memory.
   */
  registerPersonal(
    keyDigest: string,
    { rows, blocks, personal }: Registration,
  ): { text: string; versions: Float64Array } {
    const { storage } = this.ctx
    return storage.transactionSync(() => {
      const { id } = this.#person(keyDigest)
      const own = [
        ...storage.sql
          .exec<{ family: number; block: number; version: number }>(
            `SELECT family, block, version FROM version LIMIT ?`,
            rows,
          )
          .raw<[number, number, number]>(),
      ]
      storage.sql.exec(
        `INSERT INTO queue (user_id, event_id) VALUES (?, (SELECT COALESCE(MAX(id), 0) FROM log))`,
        id,
      )
      return {
        text: JSON.stringify({ own: own.length, personal: 'x'.repeat(personal) }),
        versions: new Float64Array(blocks).fill(1),
      }
    })
  }

  #person(keyDigest: string): Person {
    return this.ctx.storage.sql
      .exec<Person>(`SELECT id, name, email FROM person WHERE key_digest = ?`, keyDigest)
      .one()
  }

  #requireSubscribed(channelId: number, userId: number): void {
    this.ctx.storage.sql
      .exec(`SELECT 1 FROM subscription WHERE channel_id = ? AND user_id = ?`, channelId, userId)
      .one()
  }

  /** Sends a body to D1 after the answer. Bodies that arrive while a batch is under way share the next one. */
  #project(body: [number, string, string]): void {
    this.#bodies.push(body)
    if (!this.#isWriting) this.ctx.waitUntil(this.#writeBodies())
  }

  async #writeBodies(): Promise<void> {
    this.#isWriting = true
    while (this.#bodies.length > 0) {
      const rows = JSON.stringify(this.#bodies.splice(0))
      const { DB } = this.env
      await DB.batch([
        DB.prepare(
          `INSERT INTO message_body SELECT ${WRITTEN_ORGANIZATION}, value->>0, value->>1, value->>2 FROM json_each(?)`,
        ).bind(rows),
        DB.prepare(
          `INSERT INTO message_search (rowid, text) SELECT value->>0, value->>1 FROM json_each(?)`,
        ).bind(rows),
      ])
    }
    this.#isWriting = false
  }
}

/** Returns the fields of a message except its text. */
function messageOf({ id, topic, sender_id, sent_at, bits }: StoredMessage, sender: Person) {
  return {
    id,
    sender_id,
    sender_email: sender.email,
    sender_full_name: sender.name,
    sender_realm_str: '',
    avatar_url: null,
    client: 'bench',
    timestamp: sent_at,
    type: 'stream',
    stream_id: CHANNEL,
    display_recipient: 'read by 10',
    recipient_id: 2 * CHANNEL,
    subject: topic,
    topic_links: [],
    is_me_message: (bits & 1) !== 0,
    submessages: [],
    content_type: 'text/html',
    last_edit_timestamp: undefined,
    last_moved_timestamp: undefined,
  }
}

async function digestOf(request: Request): Promise<string> {
  const header = request.headers.get('authorization') ?? ''
  const key = atob(header.slice('Basic '.length)).split(':')[1] ?? ''
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

const success = (fields: object) => Response.json({ result: 'success', msg: '', ...fields })

async function send(request: Request, object: DurableObjectStub<BaselineObject>, step: SendStep) {
  const form = new URLSearchParams(await request.text())
  const { to, topic, content } = Object.fromEntries(form) as Record<string, string>
  const digest = step === 'form' ? '' : await digestOf(request)
  const sent = { channelId: Number(to), topic: topic!, content: content! }
  return success({ id: await object.send(step, digest, sent) })
}

async function page(
  request: Request,
  env: Environment,
  object: DurableObjectStub<BaselineObject>,
  step: PageStep,
) {
  const found = await object.page(step, await digestOf(request))
  const ids = found.messages.map(({ id }) => id)
  const { results } = await env.DB.prepare(
    `SELECT message_id, content, rendered_content FROM message_body
     WHERE realm_id = ${READ_ORGANIZATION} AND message_id BETWEEN ? AND ?`,
  )
    .bind(ids.at(-1) ?? 1, ids[0] ?? PAGE)
    .all<Body>()
  if (step !== 'fields') return success({ messages: results })
  const bodies = new Map(results.map((body) => [body.message_id, body]))
  const senders = new Map(found.senders.map((one) => [one.id, one]))
  const flags = new Map(found.flags.map(({ message_id, bits }) => [message_id, bits]))
  const reactions = Map.groupBy(found.reactions, ({ message_id }) => message_id)
  const messages = found.messages
    .map((one) => ({
      ...messageOf(one, senders.get(one.sender_id)!),
      content: bodies.get(one.id)!.rendered_content,
      flags: (flags.get(one.id) ?? 0) & 1 ? ['starred', 'read'] : ['read'],
      reactions: (reactions.get(one.id) ?? []).map(({ emoji_code, user_id }) => ({ emoji_code, user_id })),
    }))
    .reverse()
  return success({ messages, anchor: ids[0], found_newest: true, found_oldest: false, found_anchor: true })
}

/** Returns a stream of chunks that the Worker keeps in memory. */
function inChunks(count: number, bytes: number): ReadableStream<Uint8Array> {
  const chunk = kept.get(bytes) ?? new TextEncoder().encode('x'.repeat(bytes))
  kept.set(bytes, chunk)
  let left = count
  return new ReadableStream({
    pull(controller) {
      if (left === 0) return controller.close()
      left -= 1
      controller.enqueue(chunk)
    },
  })
}

const kept = new Map<number, Uint8Array>()

async function register(object: DurableObjectStub<BaselineObject>, { searchParams }: URL): Promise<Response> {
  const [bytes, rows, chunks] = ['bytes', 'rows', 'chunks'].map((name) => Number(searchParams.get(name)))
  const versions = rows === 0 ? [] : await object.register()
  if (versions.length < rows!) return new Response('versions are missing', { status: 500 })
  return new Response(inChunks(chunks!, Math.ceil(bytes! / chunks!)), {
    headers: { 'Content-Type': 'application/json' },
  })
}

/** Bytes up to which blocks are joined to one chunk. */
const CHUNK = 64 * 1024

async function registerPersonal(
  request: Request,
  object: DurableObjectStub<BaselineObject>,
  { searchParams }: URL,
): Promise<Response> {
  const [rows, personal, blocks, bytes] = ['rows', 'personal', 'blocks', 'bytes'].map((name) =>
    Number(searchParams.get(name)),
  ) as [number, number, number, number]
  const size = { rows, personal, blocks, bytes }
  const { text, versions } = await object.registerPersonal(await digestOf(request), size)
  return new Response(joined(text, versions, Math.ceil(bytes / blocks)), {
    headers: { 'Content-Type': 'application/json' },
  })
}

/** Returns a stream of the text and of a kept block for each version. */
function joined(text: string, versions: Float64Array, bytes: number): ReadableStream<Uint8Array> {
  const block = kept.get(bytes) ?? new TextEncoder().encode('x'.repeat(bytes))
  kept.set(bytes, block)
  let at = 0
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text))
    },
    pull(controller) {
      if (at === versions.length) return controller.close()
      const chunk = new Uint8Array(Math.max(CHUNK, bytes))
      let end = 0
      for (; at < versions.length && end + bytes <= chunk.length; at += 1) {
        if (versions[at] !== 1) throw new Error('A block is missing')
        chunk.set(block, end)
        end += bytes
      }
      controller.enqueue(chunk.subarray(0, end))
    },
  })
}

/** Creates an account with the key of the request, and a page of messages that never grows. */
async function prepare(request: Request, { OBLIGED, DB }: Environment): Promise<Response> {
  const [digest, content] = [await digestOf(request), await request.text()]
  for (const name of ['read', 'written']) await OBLIGED.getByName(name).found(digest)
  for (let message = 0; message < PAGE; message += 1) {
    const id = await OBLIGED.getByName('read').send('rows', digest, {
      channelId: CHANNEL,
      topic: 'load',
      content,
    })
    await DB.prepare(`INSERT OR REPLACE INTO message_body VALUES (?, ?, ?, ?)`)
      .bind(READ_ORGANIZATION, id, content, markdown.render(content))
      .run()
  }
  return success({})
}

export default {
  async fetch(request, env) {
    const url = new URL(request.url)
    const [, operation, step] = url.pathname.split('/')
    const object = env.OBLIGED.getByName(operation === 'page' ? 'read' : 'written')
    if (operation === 'send') return send(request, object, step as SendStep)
    if (operation === 'page') return page(request, env, object, step as PageStep)
    if (operation === 'register') return register(object, url)
    if (operation === 'register-personal') return registerPersonal(request, object, url)
    if (operation === 'register-anew') return registerAnew(env.BLOCKS.getByName('blocks'))
    if (operation === 'blocks') {
      const [blocks, bytes] = ['blocks', 'bytes'].map((name) => Number(url.searchParams.get(name)))
      await env.BLOCKS.getByName('blocks').fill(blocks!, bytes!)
      return success({})
    }
    if (operation === 'versions') {
      await object.found(await digestOf(request))
      await object.addVersions(Number(url.searchParams.get('rows')))
      return success({})
    }
    return prepare(request, env)
  },
} satisfies ExportedHandler<Environment>
