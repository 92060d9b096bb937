import { DurableObject } from 'cloudflare:workers'
import { fromJson } from '../../scripts/json.ts'
import { bytes } from './bytes.ts'

interface Environment {
  readonly BARE: DurableObjectNamespace<BareObject>
  readonly DB: D1Database
}

/**
 * The platform without a chat server: the best that any server of this shape (a Worker, an object, a row) could reach on this machine.
 * Parley's figures are given in relation to it.
 */
export class BareObject extends DurableObject<Environment> {
  readonly #bodies: [id: number, content: string][] = []
  #isWriting = false
  readonly #held: ((event: string) => void)[] = []

  constructor(context: DurableObjectState, env: Environment) {
    super(context, env)
    context.storage.sql.exec(
      `CREATE TABLE IF NOT EXISTS line (id INTEGER PRIMARY KEY, content TEXT NOT NULL);
       CREATE TABLE IF NOT EXISTS event (id INTEGER PRIMARY KEY, content TEXT NOT NULL);
       CREATE TABLE IF NOT EXISTS person (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);
       CREATE TABLE IF NOT EXISTS queue (id TEXT PRIMARY KEY, person INTEGER NOT NULL)`,
    )
  }

  insert(content: string): number {
    const cursor = this.ctx.storage.sql.exec<{ id: number }>(
      `INSERT INTO line (content) VALUES (?) RETURNING id`,
      content,
    )
    return cursor.one().id
  }

  /** Inserts a row, and after the answer its text and a search entry into D1. Texts that arrive during a batch share the next one. */
  insertWithBody(content: string): number {
    const id = this.insert(content)
    this.#noteBody(id, content)
    return id
  }

  #noteBody(id: number, content: string): void {
    this.#bodies.push([id, content])
    if (this.#bodies.length === 1 && !this.#isWriting) this.ctx.waitUntil(this.#writeBodies())
  }

  async #writeBodies(): Promise<void> {
    this.#isWriting = true
    while (this.#bodies.length > 0) {
      const rows = JSON.stringify(this.#bodies.splice(0))
      const { DB } = this.env
      await DB.batch([
        DB.prepare(`INSERT INTO text SELECT value->>0, value->>1 FROM json_each(?)`).bind(rows),
        DB.prepare(
          `INSERT INTO text_search (rowid, text) SELECT value->>0, value->>1 FROM json_each(?)`,
        ).bind(rows),
      ])
    }
    this.#isWriting = false
  }

  newest(): number {
    return this.ctx.storage.sql.exec<{ id: number }>(`SELECT COALESCE(MAX(id), 0) AS id FROM line`).one().id
  }

  /** Holds a call until the next release. */
  hold(): Promise<string> {
    return new Promise((resolve) => this.#held.push(resolve))
  }

  /** Accepts a socket that lets the object sleep, and is answered at the next release. */
  override async fetch(): Promise<Response> {
    const { 0: client, 1: server } = new WebSocketPair()
    this.ctx.acceptWebSocket(server)
    return new Response(null, { status: 101, webSocket: client })
  }

  /** Inserts a row, answers all held calls and sends a frame to all sockets, which stay open. */
  send(content: string, event: string): number {
    const id = this.insert(content)
    for (const answer of this.#held.splice(0)) answer(event)
    for (const socket of this.ctx.getWebSockets()) socket.send(event)
    return id
  }

  /** Creates a person with a queue for each digest of a key. */
  enter(digests: readonly string[]): void {
    const { sql } = this.ctx.storage
    for (const [id, key] of digests.entries()) {
      sql.exec(`INSERT OR REPLACE INTO person (id, key) VALUES (?, ?)`, id, key)
      sql.exec(`INSERT OR REPLACE INTO queue (id, person) VALUES (?, ?)`, `queue-${id}`, id)
    }
  }

  /**
   * Sends as `send` does, with the work that every delivery requires and nothing else: the event is logged in the same commit as the
   * message, for clients that are not connected; its text and a search entry go to D1 after the answer; and each socket keeps its cursor
   * while the object sleeps.
   */
  sendLogged(content: string, event: string): number {
    const { storage } = this.ctx
    const [line, id] = storage.transactionSync(() => [
      this.insert(content),
      storage.sql.exec<{ id: number }>(`INSERT INTO event (content) VALUES (?) RETURNING id`, event).one().id,
    ])
    this.#noteBody(line, content)
    const frame = frameOf([{ id, content: event }])
    for (const answer of this.#held.splice(0)) answer(frame)
    for (const socket of this.ctx.getWebSockets()) {
      socket.send(frame)
      socket.serializeAttachment({ cursor: id })
    }
    return id
  }

  /** Handles a poll: returns the logged events above the cursor, or holds the poll if there are none. Undefined for a wrong key or queue. */
  poll(digest: string, queue: string, last: number): string | undefined | Promise<string> {
    const { sql } = this.ctx.storage
    const [person] = sql.exec<{ id: number }>(`SELECT id FROM person WHERE key = ?`, digest).toArray()
    const [own] = sql.exec<{ person: number }>(`SELECT person FROM queue WHERE id = ?`, queue).toArray()
    if (!person || own?.person !== person.id) return undefined
    const events = sql
      .exec<Logged>(`SELECT id, content FROM event WHERE id > ? ORDER BY id LIMIT 100`, last)
      .toArray()
    return events.length > 0 ? frameOf(events) : this.hold()
  }

  override webSocketMessage(socket: WebSocket, message: string): void {
    const { last_event_id } = fromJson<{ last_event_id: number }>(message)
    const { cursor } = socket.deserializeAttachment() as { cursor: number }
    socket.serializeAttachment({ cursor, acknowledged: last_event_id })
  }

  override webSocketClose(socket: WebSocket): void {
    socket.close()
  }

  release(): void {
    for (const answer of this.#held.splice(0)) answer(EVENT)
    for (const socket of this.ctx.getWebSockets()) {
      socket.send(EVENT)
      socket.close(1000, 'answered')
    }
  }
}

type Logged = {
  readonly id: number
  readonly content: string
}

function frameOf(events: readonly Logged[]): string {
  return `{"events":[${events.map(({ id, content }) => `{"id":${id},"event":${content}}`).join(',')}]}`
}

/** Returns the digest by which keys are stored. */
async function digestOf(key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key))
  return String.fromCharCode(...new Uint8Array(digest))
}

/** An answer about as long as that of a poll that has waited for one message. */
const EVENT = JSON.stringify({ result: 'success', msg: '', queue_id: '0', events: ['x'.repeat(600)] })

/** Returns an event with the text and the length that the request names. */
function eventOf(fields: URLSearchParams): string {
  const text = fields.get('text')
  if (text === null) return EVENT
  return JSON.stringify({ text, x: 'x'.repeat(Number(fields.get('characters'))) })
}

const LINE = 'x'.repeat(120)
const JSON_TYPE = { headers: { 'Content-Type': 'application/json' } }

export default {
  async fetch(request, env) {
    const url = new URL(request.url)
    const object = env.BARE.get(env.BARE.idFromName(url.searchParams.get('object') ?? 'bare'))
    switch (url.pathname) {
      case '/insert':
        return Response.json({ id: await object.insert(LINE) })
      case '/newest':
        return Response.json({ id: await object.newest() })
      case '/insert-with-body':
        return Response.json({ id: await object.insertWithBody(LINE) })
      case '/send':
        return Response.json({ id: await object.send(LINE, eventOf(url.searchParams)) })
      case '/enter': {
        const keys = Array.from({ length: Number(url.searchParams.get('count')) }, (_, at) => `key-${at}`)
        await object.enter(await Promise.all(keys.map(digestOf)))
        return Response.json({})
      }
      case '/send-logged':
        return Response.json({ id: await object.sendLogged(LINE, EVENT) })
      case '/poll': {
        const digest = await digestOf(request.headers.get('authorization') ?? '')
        const { queue, last } = Object.fromEntries(url.searchParams)
        const frame = await object.poll(digest, queue!, Number(last))
        return frame === undefined
          ? new Response('no such queue', { status: 401 })
          : new Response(frame, JSON_TYPE)
      }
      case '/stream':
        return object.fetch('https://bare/', { headers: { Upgrade: 'websocket' } })
      case '/bytes': {
        await object.insert(LINE)
        return new Response(bytes(Number(url.searchParams.get('bytes'))), JSON_TYPE)
      }
      case '/bodies': {
        const { results } = await env.DB.prepare(`SELECT id, content FROM body ORDER BY id LIMIT 100`).all()
        return Response.json({ messages: results })
      }
      case '/hold-call':
        return new Response(await object.hold(), JSON_TYPE)
      case '/hold-socket': {
        const { webSocket } = await object.fetch('https://bare/', { headers: { Upgrade: 'websocket' } })
        if (!webSocket) return new Response('no socket', { status: 500 })
        webSocket.accept()
        return new Response(await nextMessage(webSocket), JSON_TYPE)
      }
      case '/release':
        await object.release()
        return Response.json({})
      default:
        return new Response('bare')
    }
  },
} satisfies ExportedHandler<Environment>

function nextMessage(socket: WebSocket): Promise<string> {
  return new Promise((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      resolve(data as string)
      socket.close()
    })
  })
}
