import { bytes } from './bytes.ts'

interface Environment {
  readonly FILES: R2Bucket
}

/**
 * Stores files in R2 and does nothing else: a file is streamed in and out. A form with JSON is read, and refused. Requested bytes come from
 * memory. A socket is closed after its first frame.
 */
export default {
  async fetch(request, { FILES }) {
    if (request.headers.get('Upgrade') === 'websocket') return refusingSocket()
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

function refusingSocket(): Response {
  const { 0: client, 1: server } = new WebSocketPair()
  server.accept()
  server.addEventListener('message', () => server.close(1008))
  return new Response(null, { status: 101, webSocket: client })
}
