import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A push bouncer that accepts every registration except those that contain `expired`. */
export async function startBouncer(): Promise<{ readonly url: string; stop(): void }> {
  const server: Server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const form = new URLSearchParams(Buffer.concat(parts).toString())
    const isExpired = atob(form.get('encrypted_push_registration') ?? '') === 'expired'
    const answer = isExpired
      ? { result: 'error', msg: 'Expired', code: 'REQUEST_EXPIRED' }
      : { result: 'success', msg: '', device_id: 1 }
    response.writeHead(isExpired ? 400 : 200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() }
}
