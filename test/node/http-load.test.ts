import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Connections, pace, saturate } from '../../bench/http-load.ts'

let server: Server
let url: string
let underWay = 0
let maxUnderWay = 0
let sockets = 0

/** The server answers after 10 ms: /wrong with a refusal; /slow-once holds its first request for 200 ms. */
beforeAll(async () => {
  let held = false
  server = createServer((request, response) => {
    underWay += 1
    maxUnderWay = Math.max(maxUnderWay, underWay)
    const isHeld = request.url === '/slow-once' && !held
    if (isHeld) held = true
    setTimeout(
      () => {
        underWay -= 1
        response.statusCode = request.url === '/wrong' ? 500 : 200
        response.end('{}')
      },
      isHeld ? 200 : 10,
    )
  })
  server.on('connection', () => {
    sockets += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

describe('the load of the benchmark', () => {
  it('keeps the given number of requests in flight, on the given connections', async () => {
    const perSecond = await saturate(4, 0.4, () => ({ method: 'GET', url: `${url}/` }))
    expect(maxUnderWay).toBe(4)
    expect(sockets).toBe(4)
    // Four lanes with answers after 10 ms make at most 400 requests a second.
    expect(perSecond).toBeGreaterThan(40)
    expect(perSecond).toBeLessThanOrEqual(410)
  })

  it('counts a slow answer against requests due meanwhile', async () => {
    const times = await pace(50, 0.5, () => ({ method: 'GET', url: `${url}/slow-once` }))
    expect(times.max).toBeGreaterThanOrEqual(190)
    expect(times.p50).toBeLessThan(100)
    expect(times.min).toBeGreaterThanOrEqual(9)
  })

  it('accepts nothing but successes', async () => {
    const connections = new Connections()
    await expect(connections.ask({ method: 'GET', url: `${url}/wrong` })).rejects.toThrow('answered 500')
    connections.close()
  })
})
