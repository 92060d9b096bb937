import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import { found } from './found.ts'

let server: LocalServer
beforeAll(async () => {
  server = await startLocalServer()
  await found(server)
})
afterAll(() => server?.stop())

const MIB = 2 ** 20
/** Bytes that the operating system buffers ahead of the server. */
const ON_THE_WAY = 8 * MIB
/** How often an answer may be dropped. */
const TRIES = 10

/**
 * Posts a body in chunks, along with a length that is too short. Returns the status, and how much of the body was accepted before it.
 * Without a status, the server had answered and closed, and the system dropped the answer along with its buffer.
 */
function post(path: string, total: number): Promise<{ status: number | undefined; sent: number }> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let [sent, answer] = [0, '']
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const more = () => {
      while (answer === '' && sent < total) {
        sent += 0x10000
        if (!socket.write(chunk)) return
      }
      if (answer === '') socket.write('0\r\n\r\n')
    }
    const end = () => {
      const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(answer) ?? []
      resolve({ status: status === undefined ? undefined : Number(status), sent })
      socket.destroy()
    }
    socket.on('drain', more)
    socket.on('data', (data) => {
      answer += data
      end()
    })
    socket.on('error', end)
    socket.on('close', end)
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
        'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
    )
    more()
  })
}

it.each(['/api/v1/fetch_api_key', '/api/v1/messages/render', '/login/'])(
  'a body that is longer than announced is refused once it passes the limit: %s',
  async (path) => {
    const seen: (number | undefined)[] = []
    while (seen.length < TRIES && seen.at(-1) === undefined) {
      const { status, sent } = await post(path, 64 * MIB)
      expect(sent).toBeLessThan(16 * MIB + ON_THE_WAY)
      seen.push(status)
    }
    expect([401, 413]).toContain(seen.at(-1))
  },
)
