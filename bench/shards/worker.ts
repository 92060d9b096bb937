import { DurableObject } from 'cloudflare:workers'

interface Environment {
  readonly ROOT: DurableObjectNamespace<RootObject>
  readonly SHARD: DurableObjectNamespace<ShardObject>
}

/** About as long as the event of a message. */
const EVENT = JSON.stringify({ events: [{ id: 1, type: 'message', message: 'x'.repeat(600) }] })

/** The organization's object: it writes a row for each message, and then calls each shard that has listeners. */
export class RootObject extends DurableObject<Environment> {
  constructor(context: DurableObjectState, env: Environment) {
    super(context, env)
    context.storage.sql.exec(`CREATE TABLE IF NOT EXISTS log (id INTEGER PRIMARY KEY, event TEXT NOT NULL)`)
  }

  /** Answers when all shards have sent the message to all of their listeners. */
  async send(shards: number): Promise<void> {
    this.ctx.storage.sql.exec(`INSERT INTO log (event) VALUES (?)`, EVENT)
    await Promise.all(Array.from({ length: shards }, (_, number) => shardOf(this.env, number).deliver(EVENT)))
  }
}

/** A shard: a part of the listeners, each with a socket that lets the object sleep. */
export class ShardObject extends DurableObject<Environment> {
  deliver(event: string): void {
    for (const socket of this.ctx.getWebSockets()) socket.send(event)
  }

  override async fetch(): Promise<Response> {
    const { 0: client, 1: server } = new WebSocketPair()
    this.ctx.acceptWebSocket(server)
    return new Response(null, { status: 101, webSocket: client })
  }

  override webSocketMessage(): void {}

  override webSocketClose(socket: WebSocket): void {
    socket.close()
  }
}

function shardOf({ SHARD }: Environment, number: number): DurableObjectStub<ShardObject> {
  return SHARD.get(SHARD.idFromName(`shard-${number}`))
}

export default {
  async fetch(request, env) {
    const url = new URL(request.url)
    const number = Number(url.searchParams.get('shards'))
    if (url.pathname === '/listen') return shardOf(env, number).fetch(request)
    await env.ROOT.get(env.ROOT.idFromName('root')).send(number)
    return new Response()
  },
} satisfies ExportedHandler<Environment>
