import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import { found } from './found.ts'

let server: LocalServer
beforeAll(async () => {
  server = await startLocalServer({ vars: { LOG: 'off' } })
  await found(server)
}, 120_000)
afterAll(() => server?.stop())

/** Sends the head of a request, and returns the status of the answer. */
function statusOf(...lines: readonly string[]): Promise<number> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write([...lines, 'Connection: close', '', ''].join('\r\n'))
    })
    socket.on('data', (answer) => {
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(String(answer))?.[1]))
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

it('a host that is no name is refused', async () => {
  for (const host of ['a:b:c', '[::', 'localhost:99999', 'xn--a', '']) {
    expect([host, await statusOf('GET /api/v1/server_settings HTTP/1.1', `Host: ${host}`)]).toEqual([
      host,
      400,
    ])
  }
})

it('what the local runtime itself refuses harms nothing', async () => {
  await statusOf('GET / HTTP/1.1', 'Host: a b')
  await statusOf('POST /api/v1/fetch_api_key HTTP/1.1', 'Host: localhost', 'Content-Length: abc')
  expect(await statusOf('GET /api/v1/server_settings HTTP/1.1', 'Host: localhost')).toBe(200)
})
