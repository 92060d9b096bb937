import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import { type Account, accountsAt, fileForm, head, SlowConnection, work } from './slow-connections.ts'

const MINUTES = 10 * 60_000
const WORKED = [200, 200, 200]
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const TUS = { 'Tus-Resumable': '1.0.0' }
/** Characters of a message, and how many make a page that no socket takes at once. */
const LONG = 10_000
const MANY = 250

let server: LocalServer
let slow: Account
let other: Account
const connections: SlowConnection[] = []

beforeAll(async () => {
  server = await startLocalServer({ vars: { LOG: 'off', RATE_LIMITS: 'off' } })
  ;[slow, other] = (await accountsAt(server, 1)) as [Account, Account]
}, MINUTES)
afterAll(() => server?.stop())
afterEach(() => {
  for (const connection of connections.splice(0)) connection.close()
})

/** Opens as many connections that send this, and then nothing. */
function open(count: number, text: string, isReading = true): SlowConnection[] {
  const opened = Array.from({ length: count }, () => new SlowConnection(server, isReading))
  for (const connection of opened) connection.send(text)
  connections.push(...opened)
  return opened
}

const statuses = (opened: SlowConnection[]) => Promise.all(opened.map((connection) => connection.status()))

/** Returns what is neither the refusal of a stalled body, nor that of one for which there was no memory. */
async function otherAnswers(opened: SlowConnection[]): Promise<number[]> {
  return (await statuses(opened)).filter((status) => status !== 408 && status !== 503)
}

describe('a client works undisturbed while others', () => {
  it('send half of their headers, or nothing', { timeout: MINUTES }, async () => {
    open(100, '')
    open(50, 'POST /api/v1/messages HTTP/1.1\r\nHost: local')
    expect(await work(other)).toEqual(WORKED)
  })

  it('announce bodies to unknown hosts, and never send them', { timeout: MINUTES }, async () => {
    const opened = Array.from({ length: 40 }, (_, number) => {
      const headers = { ...FORM, Host: `host${number}.example.com`, 'Content-Length': '1000000' }
      return open(1, `${head('POST', '/messages', headers)}content=${'x'.repeat(200_000)}`)
    }).flat()
    expect(await work(other)).toEqual(WORKED)
    expect(await otherAnswers(opened)).toEqual([])
  })

  it('send chunked forms whose last chunk never ends', { timeout: MINUTES }, async () => {
    const { authorization } = slow
    const begin = head('POST', '/messages', { ...FORM, authorization, 'Transfer-Encoding': 'chunked' })
    const opened = open(40, `${begin}30d40\r\n${'x'.repeat(150_000)}`)
    expect(await work(other)).toEqual(WORKED)
    expect(await otherAnswers(opened)).toEqual([])
  })

  it('send large bodies that continue a byte at a time', { timeout: MINUTES }, async () => {
    const { type, text } = fileForm(3_000_000)
    const { authorization } = slow
    const headers = { authorization, 'Content-Type': type, 'Content-Length': `${text.length}` }
    const opened = open(8, head('POST', '/user_uploads', headers) + text.slice(0, 1_000_000))
    const dripped = Promise.all(opened.map((connection) => connection.drip('y'.repeat(20), 20, 500)))
    expect(await work(other)).toEqual(WORKED)
    // Those that find no share while the first of their own account hold it are told to come back.
    const answers = await statuses(opened)
    expect(answers).toContain(408)
    expect(answers.filter((status) => status !== 408 && status !== 503)).toEqual([])
    await dripped
  })

  it('stop within chunks of resumable uploads, whose bytes are kept', { timeout: MINUTES }, async () => {
    const sent = 700_000
    const addresses: string[] = []
    for (let count = 0; count < 6; count += 1) {
      const headers = { ...TUS, authorization: slow.authorization, 'Upload-Length': '6000000' }
      const begun = await fetch(`${server.url}/api/v1/tus/`, { method: 'POST', headers })
      addresses.push(begun.headers.get('location')!.replace('/api/v1', ''))
    }
    const opened = addresses.flatMap((path) => {
      const type = { 'Content-Type': 'application/offset+octet-stream', 'Content-Length': '6000000' }
      const headers = { ...TUS, ...type, authorization: slow.authorization, 'Upload-Offset': '0' }
      return open(1, head('PATCH', path, headers) + 'z'.repeat(sent))
    })
    expect(await work(other)).toEqual(WORKED)
    expect(await statuses(opened)).toEqual(opened.map(() => 408))
    for (const path of addresses) {
      const headers = { ...TUS, authorization: slow.authorization }
      const asked = await fetch(`${server.url}/api/v1${path}`, { method: 'HEAD', headers })
      expect(asked.headers.get('upload-offset')).toBe(String(sent))
    }
  })

  it('do not read their large answers', { timeout: MINUTES }, async () => {
    const { body } = await slow.ask('GET', '/users/me')
    for (let count = 0; count < MANY; count += 1) {
      const message = { type: 'direct', to: [body.user_id], content: 'x'.repeat(LONG) }
      expect((await slow.ask('POST', '/messages', message)).status).toBe(200)
    }
    const page = `/messages?anchor=newest&num_before=${MANY}&num_after=0`
    open(30, head('GET', page, { authorization: slow.authorization }), false)
    expect(await work(other)).toEqual(WORKED)
  })

  it('open event streams, and stay silent on them', { timeout: MINUTES }, async () => {
    const { body } = await slow.ask('POST', '/register', { event_types: ['message'] })
    const upgrade = {
      Upgrade: 'websocket',
      Connection: 'Upgrade',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': btoa('0123456789abcdef'),
    }
    const path = `/events?queue_id=${body.queue_id}&last_event_id=-1`
    open(30, head('GET', path, { ...upgrade, authorization: slow.authorization }))
    expect(await work(other)).toEqual(WORKED)
  })
})
