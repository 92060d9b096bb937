import { DurableObject } from 'cloudflare:workers'
import { bytes } from './bytes.ts'

interface Environment {
  readonly FILES: R2Bucket
  readonly SOCKETS: DurableObjectNamespace<SocketsObject>
}

/** Holds sockets that let it sleep, as an organization does, and closes each after its first frame. */
export class SocketsObject extends DurableObject {
  override async fetch(): Promise<Response> {
    const { 0: client, 1: server } = new WebSocketPair()
    this.ctx.acceptWebSocket(server)
    return new Response(null, { status: 101, webSocket: client })
  }

  override webSocketMessage(socket: WebSocket): void {
    socket.close(1008)
  }
}

/**
 * Stores files in R2 and does nothing else: a file is streamed in and out. A form with JSON is read, and refused. Requested bytes come from
 * memory. A socket goes to the object, which closes it after its first frame.
 */
export default {
  async fetch(request, { FILES, SOCKETS }) {
    if (request.headers.get('Upgrade') === 'websocket') return SOCKETS.getByName('sockets').fetch(request)
    const key = new URL(request.url).pathname
    if (request.method === 'PUT') {
      await FILES.put(key, request.body)
      return new Response()
    }
    const count = new URL(request.url).searchParams.get('bytes')
    if (count !== null) return new Response(bytes(Number(count)))
    if (request.method === 'POST') {
      for (const [, json] of new URLSearchParams(await request.text())) await new Response(json).json()
      return new Response(null, { status: 400 })
    }
    const stored = await FILES.get(key)
    return new Response(stored?.body ?? null, { status: stored ? 200 : 404 })
  },
} satisfies ExportedHandler<Environment>
