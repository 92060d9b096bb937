import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import { type Account, accountsAt, fileForm, head, SlowConnection, work } from './slow-connections.ts'

let server: LocalServer
let accounts: Account[]
beforeAll(async () => {
  server = await startLocalServer({ vars: { LOG: 'troubles', RATE_LIMIT_API_BY_IP: '10/60' } })
  accounts = await accountsAt(server, 3)
})
afterAll(() => server?.stop())

const WORKED = [200, 200, 200]
const FORM = 'application/x-www-form-urlencoded'

it.concurrent('stalled bodies block no other request, are refused, and count as failed attempts', async () => {
  const [attacker, other] = accounts as [Account, Account]
  const network = { 'CF-Connecting-IP': '192.0.2.1' }
  const unknown = Array.from({ length: 10 }, () => {
    const connection = new SlowConnection(server)
    const headers = { ...network, 'Content-Type': FORM, 'Content-Length': '1000000' }
    connection.send(`${head('POST', '/messages', headers)}content=`)
    return connection
  })
  const uploads = Array.from({ length: 5 }, () => {
    const connection = new SlowConnection(server)
    const { type, text } = fileForm(3_000_000)
    const { authorization } = attacker
    const headers = { authorization, 'Content-Type': type, 'Content-Length': `${text.length}` }
    connection.send(`${head('POST', '/user_uploads', headers)}${text.slice(0, 300_000)}`)
    return connection
  })
  expect(await work(other)).toEqual(WORKED)
  expect(await work(attacker)).toEqual(WORKED)
  const stalled = await Promise.all([...unknown, ...uploads].map((connection) => connection.status()))
  expect(stalled).toEqual(stalled.map(() => 408))
  const later = await fetch(`${server.url}/api/v1/users/me`, { headers: network })
  expect(later.status).toBe(429)
})

it.concurrent('slow bodies from four phones at once succeed', async () => {
  const { type, text } = fileForm(300_000)
  const statuses = accounts.map(async ({ authorization }) => {
    const connection = new SlowConnection(server)
    connection.send(
      head('POST', '/user_uploads', {
        authorization,
        'Content-Type': type,
        'Content-Length': `${text.length}`,
      }),
    )
    await connection.drip(text, 12, 500)
    return connection.status()
  })
  expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200])
})
