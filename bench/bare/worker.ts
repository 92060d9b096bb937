import { DurableObject } from 'cloudflare:workers'

interface Environment {
  readonly BARE: DurableObjectNamespace<BareObject>
  readonly DB: D1Database
}

/**
 * The platform with nothing on it: what a server of this shape (a Worker, an object, a row) could reach at
 * most on the machine at hand. All of Parley's figures are given in relation to these.
 */
export class BareObject extends DurableObject<Environment> {
  readonly #bodies: [id: number, content: string][] = []
  #isWriting = false
  readonly #held: ((event: string) => void)[] = []

  constructor(context: DurableObjectState, env: Environment) {
    super(context, env)
    context.storage.sql.exec(
      `CREATE TABLE IF NOT EXISTS line (id INTEGER PRIMARY KEY, content TEXT NOT NULL)`,
    )
  }

  insert(content: string): number {
    const cursor = this.ctx.storage.sql.exec<{ id: number }>(
      `INSERT INTO line (content) VALUES (?) RETURNING id`,
      content,
    )
    return cursor.one().id
  }

  /** A row, and its text in D1 with a search entry, which nobody waits for: all that has come meanwhile goes in one batch. */
  insertWithBody(content: string): number {
    const id = this.insert(content)
    this.#bodies.push([id, content])
    if (this.#bodies.length === 1 && !this.#isWriting) this.ctx.waitUntil(this.#writeBodies())
    return id
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

  /** Held until the next release, over a call. */
  hold(): Promise<string> {
    return new Promise((resolve) => this.#held.push(resolve))
  }

  /** The same over a socket that lets the object sleep. */
  override async fetch(): Promise<Response> {
    const { 0: client, 1: server } = new WebSocketPair()
    this.ctx.acceptWebSocket(server)
    return new Response(null, { status: 101, webSocket: client })
  }

  /** A row, and whoever is held gets to know of it; sockets of a stream stay open. */
  send(content: string, event: string): number {
    const id = this.insert(content)
    for (const answer of this.#held.splice(0)) answer(event)
    for (const socket of this.ctx.getWebSockets()) socket.send(event)
    return id
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

/** About as long as the answer to a poll that has waited for one message. */
const EVENT = JSON.stringify({ result: 'success', msg: '', queue_id: '0', events: ['x'.repeat(600)] })

/** With a text, and of a length, that whoever sends it may choose. */
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

/** What is at hand already, in pieces, as a Worker sends what it keeps. */
const PIECE = new TextEncoder().encode('x'.repeat(32 * 1024))

function bytes(count: number): ReadableStream<Uint8Array> {
  let left = count
  return new ReadableStream({
    pull(controller) {
      if (left === 0) return controller.close()
      const piece = PIECE.subarray(0, left)
      left -= piece.length
      controller.enqueue(piece)
    },
  })
}

function nextMessage(socket: WebSocket): Promise<string> {
  return new Promise((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      resolve(data as string)
      socket.close()
    })
  })
}
