import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { callOut } from '../../src/outgoing/call-out.ts'
import { sendEmails } from '../../src/outgoing/emails/queue.ts'
import { kindsOf, LANE_NAMES, LANES, laneOf, pauseAfter } from '../../src/outgoing/lanes.ts'
import { PushCircuitBreaker, WebPushCircuitBreaker } from '../../src/outgoing/push/failure.ts'
import { JOB_HANDLERS } from '../../src/realm/jobs/job-handlers.ts'
import { insertEmail, NOBODY } from '../../src/store/emails/email-rows.ts'
import { enqueueJob, leaseJob, restJob } from '../../src/store/jobs/job-rows.ts'
import { expectSuccess } from '../support/factories.ts'
import { changeRealm, inRealm } from '../support/inside.ts'
import { fromJson } from '../support/json.ts'
import { captureLog } from '../support/log-lines.ts'
import { DAY, HOUR, MINUTE } from '../support/times.ts'
import { useRealmPerTest } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const MAIL_URL = 'https://mail.example.test/send'

const { realm, ann, channel } = useRealmPerTest(
  { ann: 'member' },
  { channels: { channel: ['owner', 'ann'] } },
)
/** Names before the @ of addresses that mail was posted for. */
let mailed: string[]
let posted: number
/** Domain of this test's addresses, since calls that an earlier test left hanging end later. */
let domain: string
let hookUrl: string
let domains = 0
/** The services' behaviour. A hanging one ignores abort signals. */
let mailService: (to: string) => Response | Promise<Response>
let webhook: () => Response | Promise<Response>

const hangs = () => new Promise<Response>(() => {})

beforeEach(() => {
  mailed = []
  domains += 1
  domain = `d${domains}.example.com`
  hookUrl = `https://${domain}/in`
  posted = 0
  mailService = () => new Response('{}')
  webhook = () => new Response('{}')
  world.settings = { EMAIL_API_URL: MAIL_URL }
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    if (String(url) === hookUrl) {
      posted += 1
      return webhook()
    }
    if (String(url) !== MAIL_URL) return new Response('{}')
    const [to] = fromJson(String(init?.body)).to as string[]
    const [name, host] = to!.split('@')
    if (host !== domain) return new Response('{}')
    mailed.push(name!)
    return mailService(name!)
  })
})
afterEach(() => vi.restoreAllMocks())

/** Runs everything that is due `seconds` from now. */
async function work(seconds = 2): Promise<void> {
  world.clockOffset += seconds
  await inRealm(realm, (object) => object.alarm())
}

const invite = (...names: string[]) =>
  realm.owner.api.post('/invites', {
    invitee_emails: names.map((name) => `${name}@${domain}`).join(','),
    stream_ids: [],
    invite_expires_in_minutes: null,
  })

async function schedule(seconds: number, content: string): Promise<void> {
  const at = Math.floor(Date.now() / 1_000) + world.clockOffset + seconds
  const to = { type: 'channel', to: channel.id, topic: 'planned', content }
  expectSuccess(await ann.api.post('/scheduled_messages', { ...to, scheduled_delivery_timestamp: at }))
}

async function said(): Promise<string[]> {
  const narrow = [{ operator: 'channel', operand: channel.id }]
  const page = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false, narrow }
  const { messages } = expectSuccess(await ann.api.get('/messages', page))
  return messages.map(({ content }: { content: string }) => content)
}

const deadLetters = async () => expectSuccess(await realm.owner.api.get('/dead_letters')).dead_letters

async function buildHook(): Promise<number> {
  const account = { full_name: 'Hook', short_name: `hook-${realm.id}`, bot_type: 3, payload_url: hookUrl }
  return expectSuccess(await realm.owner.api.post('/bots', account)).user_id
}

const call = async (hook: number, content: string) =>
  expectSuccess(await realm.owner.api.post('/messages', { type: 'direct', to: [hook], content }))

describe('the table of lanes', () => {
  it('has every kind of job in one lane, and a handler for it', () => {
    const kinds = LANE_NAMES.flatMap((name) => [...kindsOf(name)])
    expect(new Set(kinds).size).toBe(kinds.length)
    expect(Object.keys(JOB_HANDLERS).sort()).toEqual(kinds.sort())
    expect(laneOf('of-a-newer-build')).toBeUndefined()
  })

  it('opens no more connections in total than the platform allows', () => {
    const calling = LANE_NAMES.filter((name) => 'callTimeoutMs' in LANES[name])
    expect(calling.reduce((sum, name) => sum + LANES[name].atOnce, 0)).toBeLessThanOrEqual(6)
  })

  it('has pauses that grow up to a maximum, with jitter', () => {
    expect([1, 2, 3, 30].map((tries) => pauseAfter(LANES.mail, tries, 0))).toEqual([30, 60, 120, 14_400])
    expect(pauseAfter(LANES.mail, 1, 1)).toBe(22.5)
  })
})

it('a service that rests is called again when the clock is set back', () => {
  const [bouncer, services] = [new PushCircuitBreaker(), new WebPushCircuitBreaker()]
  for (let failures = 0; failures < 12; failures += 1) bouncer.failed(10_000)
  for (let failures = 0; failures < 9; failures += 1) services.failed(7, 10_000)
  expect([bouncer.until(10_000), services.isResting(7, 10_000)]).toEqual([10_060, true])
  expect([bouncer.until(6_400), services.isResting(7, 6_400)]).toEqual([0, false])
})

describe('a call to another server', () => {
  const limits = () => ({ url: hookUrl, named: { by: 'deployment' } as const, init: {}, maxBytes: 10 })

  it('that hangs, before or within its answer, is ended by a timeout', async () => {
    webhook = hangs
    await expect(callOut({ ...limits(), timeoutMs: 20 })).rejects.toThrow('No answer within 0.02 seconds')
    webhook = () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }))
    await expect(callOut({ ...limits(), timeoutMs: 20 })).rejects.toThrow('No answer within 0.02 seconds')
  })

  it('with an endless answer is read up to a limit', async () => {
    let chunks = 0
    const pull = (controller: ReadableStreamDefaultController) => {
      chunks += 1
      controller.enqueue(new Uint8Array(8))
    }
    webhook = () => new Response(new ReadableStream({ pull }))
    const { body, isCut } = await callOut({ ...limits(), timeoutMs: 5_000 })
    expect([body.length, isCut]).toEqual([10, true])
    expect(chunks).toBeLessThan(10)
  })
})

describe('a mail service', () => {
  it('that hangs does not delay scheduled messages, reminders or webhooks', async () => {
    world.alarmsWait = false
    // Calls of an evicted object would not hang any more.
    world.evictable = false
    mailService = hangs
    expectSuccess(await invite('one'))
    await work()
    expect(mailed).toEqual(['one'])
    expectSuccess(await invite('two'))
    const hook = await buildHook()
    await schedule(30, 'in time')
    await call(hook, 'are you there?')
    await work(31)
    expect(await said()).toContain('in time')
    expect(posted).toBe(1)
    // Mails behind the hanging one are not lost, since its lease ends.
    expect(mailed).toEqual(['one'])
  })

  it('whose answer cannot be broken off delays no other mail', async () => {
    world.alarmsWait = false
    world.evictable = false
    mailService = () => new Response(new ReadableStream({ cancel: () => new Promise(() => {}) }))
    expectSuccess(await invite('one', 'two'))
    await work()
    await vi.waitFor(() => expect(mailed.toSorted()).toEqual(['one', 'two']))
  })

  it('that never ends a try gets the next mail when its lease is over', async () => {
    world.alarmsWait = false
    world.evictable = false
    const { lines } = captureLog()
    const { setTimeout } = globalThis
    const soon = LANES.mail.leaseSeconds * 1_000
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms = 0) =>
      setTimeout(run, ms === soon ? 20 : ms)) as typeof setTimeout)
    await inRealm(realm, ({ parts }) => {
      vi.spyOn(parts.emails, 'send').mockImplementationOnce(() => new Promise(() => {}))
    })
    expectSuccess(await invite('one', 'two'))
    await work()
    await vi.waitFor(() => expect(mailed).toEqual(['two']))
    expect(lines('tried again later')).toMatchObject([
      { lane: 'mail', attempts: 1, organization: realm.host },
    ])
  })

  it('that refuses one address for good gets all others, and the owner is notified', async () => {
    mailService = (to) => new Response('', { status: to.startsWith('bad') ? 422 : 200 })
    expectSuccess(await invite('bad', 'good'))
    await work()
    expect(mailed.sort()).toEqual(['bad', 'good'])
    await work(DAY)
    expect(mailed).toHaveLength(2)
    const [letter] = await deadLetters()
    expect(letter).toMatchObject({ kind: 'mail', attempts: 1, error: 'The mail service answered 422' })
    expect(letter.description).toContain(`Mail to bad@${domain}: `)
    expect(JSON.stringify(letter)).not.toContain('/join/')
  })

  it('that fails for one address gets it again ever later, after new mail', async () => {
    mailService = (to) => new Response('', { status: to.startsWith('bad') ? 500 : 200 })
    expectSuccess(await invite('bad'))
    await work()
    await work(31)
    await work(31)
    expect(mailed).toHaveLength(2)
    await work(31)
    expect(mailed).toHaveLength(3)
    world.clockOffset += HOUR
    // The object's own alarm may come before this test's.
    mailed = []
    expectSuccess(await invite('good'))
    await work()
    expect(mailed).toEqual(['good', 'bad'])
  })

  it('that is down for a day delays mail, but no scheduled messages', async () => {
    mailService = () => Promise.reject(new TypeError('connection refused'))
    expectSuccess(await invite('one', 'two'))
    for (let hour = 0; hour < 24; hour += 4) {
      await schedule(4 * HOUR - 1, `hour ${hour}`)
      await work(4 * HOUR)
      expect(await said()).toContain(`hour ${hour}`)
    }
    mailService = () => new Response('{}')
    mailed = []
    await work(4 * HOUR)
    expect(mailed.sort()).toEqual(['one', 'two'])
    await work(DAY)
    expect([mailed.length, await deadLetters()]).toEqual([2, []])
  })

  it('that never recovers leaves dead letters, which can be retried', async () => {
    mailService = () => new Response('', { status: 503 })
    expectSuccess(await invite('one'))
    for (let tries = 0; tries < LANES.mail.tries; tries += 1) await work(5 * HOUR)
    expect(mailed).toHaveLength(LANES.mail.tries)
    expect(await deadLetters()).toMatchObject([{ kind: 'mail', attempts: LANES.mail.tries }])
    await work(5 * HOUR)
    expect(mailed).toHaveLength(LANES.mail.tries)
    mailService = () => new Response('{}')
    const answer = expectSuccess(await realm.owner.api.post('/dead_letters/retry'))
    expect([answer.retried, answer.remaining]).toEqual([1, 0])
    await work()
    expect(mailed).toHaveLength(LANES.mail.tries + 1)
  })

  it('that is not configured gets the mail if it is within a week', async () => {
    // The object has a mail service, to which an alarm would deliver the mail.
    world.alarm = async () => {}
    expectSuccess(await invite('one'))
    const wait = (days: number) => {
      world.clockOffset += days * DAY
      return inRealm(realm, ({ parts }) =>
        sendEmails({ ...parts, emails: { ...parts.emails, isConfigured: false } }),
      )
    }
    expect(await wait(1)).toEqual(expect.any(Number))
    expect(await deadLetters()).toEqual([])
    await wait(7)
    expect(await wait(0)).toBeUndefined()
    expect(await deadLetters()).toMatchObject([{ kind: 'mail', error: 'No mail service is configured.' }])
  })

  it('gets mails one in a turn, also those that wait for nothing', async () => {
    const MAILS = 5
    // Whatever waits for nothing but what is at hand would go on and on here.
    const STEPS = 1_000
    const waiting = await inRealm(realm, async ({ parts }) => {
      const mail = { recipient: NOBODY, subject: 'To nobody', body: '' }
      const at = { writtenAt: parts.now() - MINUTE, sentAt: null }
      for (let count = 0; count < MAILS; count += 1) insertEmail(parts.sql, mail, at)
      sendEmails(parts)
      for (let step = 0; step < STEPS; step += 1) await Promise.resolve()
      return parts.sql.first<{ count: number }>('SELECT count(*) AS count FROM email')!.count
    })
    expect(waiting).toBeGreaterThanOrEqual(MAILS - 1)
    await expect
      .poll(() =>
        inRealm(
          realm,
          ({ parts }) => parts.sql.first<{ count: number }>('SELECT count(*) AS count FROM email')!.count,
        ),
      )
      .toBe(0)
  })

  it('with too much pending mail makes requests that need mail fail', async () => {
    mailService = () => Promise.reject(new TypeError('connection refused'))
    await changeRealm(realm, (tx) =>
      tx.sql.run(
        `INSERT INTO email (recipient, subject, body, created_at)
         SELECT 'x' || value, '', '', ? FROM json_each(?)`,
        Math.floor(tx.now),
        JSON.stringify(Array.from({ length: 2_000 }, (_, n) => n)),
      ),
    )
    const { status, body } = await invite('one')
    expect([status, body.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect(expectSuccess(await realm.owner.api.get('/invites')).invites).toEqual([])
  })
})

describe('an outgoing webhook that hangs', () => {
  it('delays neither mail, scheduled messages nor another webhook', async () => {
    world.alarmsWait = false
    world.evictable = false
    const hook = await buildHook()
    const other = { full_name: 'Other', short_name: `other-${realm.id}`, bot_type: 3, payload_url: hookUrl }
    const { user_id } = expectSuccess(await realm.owner.api.post('/bots', other))
    webhook = hangs
    for (const content of ['one', 'two', 'three']) await call(hook, content)
    await work()
    expect(posted).toBe(1)
    webhook = () => new Response('{}')
    await call(user_id, 'you?')
    expectSuccess(await invite('one'))
    await schedule(3, 'in time')
    await work(6)
    expect([posted, mailed]).toEqual([2, ['one']])
    expect(await said()).toContain('in time')
  })
})

describe('many deliveries at once', () => {
  it('are made one in a turn, and other lanes are served meanwhile', async () => {
    world.alarmsWait = false
    for (let n = 0; n < 25; n += 1) await schedule(10, `planned ${n}`)
    expectSuccess(await invite('one'))
    world.clockOffset += 11
    const after = await inRealm(realm, async (object) => {
      await object.alarm()
      return object.parts.sql.all(`SELECT key FROM job WHERE kind = 'deliver-scheduled-message'`).length
    })
    expect([after, mailed]).toEqual([24, ['one']])
    const planned = async () => (await said()).filter((content) => content.startsWith('planned'))
    await vi.waitFor(async () => expect(await planned()).toHaveLength(25), { timeout: 10_000 })
  })
})

describe('a job', () => {
  it('that is entered again changes only if it is due earlier', async () => {
    const later = Math.floor(Date.now() / 1_000) + world.clockOffset + DAY
    const put = (dueAt: number) =>
      changeRealm(realm, ({ sql }) => enqueueJob(sql, { kind: 'of-a-newer-build', key: '8', dueAt }))
    const changed: boolean[] = []
    for (const dueAt of [later, later, later + 1, later - 1, later]) changed.push(await put(dueAt))
    expect(changed).toEqual([true, false, false, true, false])
  })

  it('that rests keeps its pause when entered again, also with a clock set back', async () => {
    const dueAt = () =>
      inRealm(
        realm,
        ({ parts: { sql } }) =>
          sql.first<{ due_at: number }>(`SELECT due_at FROM job WHERE key = 'rests'`)!.due_at,
      )
    const job = { kind: 'expire-messages', key: 'rests' } as const
    const enter = () => changeRealm(realm, (tx) => tx.schedule({ ...job, dueAt: tx.now }))
    const restsUntil = await changeRealm(realm, (tx) => {
      const now = Math.floor(tx.now)
      enqueueJob(tx.sql, { ...job, dueAt: now })
      const leased = leaseJob(
        tx.sql,
        { ...job, dueAt: now, attempts: 0, firstTriedAt: null },
        now,
        now + HOUR,
      )!
      restJob(tx.sql, leased, now + 600)
      return now + 600
    })
    await enter()
    expect(await dueAt()).toBe(restsUntil)
    world.clockOffset -= HOUR
    expectSuccess(await ann.api.get('/users/me'))
    await enter()
    expect(restsUntil - HOUR - (await dueAt())).toBeCloseTo(0, -1)
  })

  it('of a kind only newer versions know is kept, rarely retried, and reported once', async () => {
    const { lines } = captureLog()
    expectSuccess(await ann.api.get('/users/me'))
    const put = () =>
      changeRealm(realm, (tx) => enqueueJob(tx.sql, { kind: 'of-a-newer-build', key: '7', dueAt: tx.now }))
    await put()
    for (let n = 0; n < 5; n += 1) await work(2 * HOUR)
    const kept = await inRealm(realm, ({ parts }) =>
      parts.sql.all<{ key: string; attempts: number }>(
        `SELECT key, attempts FROM job WHERE kind = 'of-a-newer-build'`,
      ),
    )
    expect(kept).toEqual([{ key: '7', attempts: 5 }])
    expect(lines('job of an unknown kind')).toMatchObject([{ kind: 'of-a-newer-build' }])
  })

  it('that was running at a crash runs again when its lease has ended', async () => {
    world.alarmsWait = false
    mailService = hangs
    expectSuccess(await invite('one'))
    await work()
    await inRealm(realm, (_object, state) => state.abort('evicted')).catch(() => {})
    mailService = () => new Response('{}')
    world.alarmsWait = true
    await work(LANES.mail.leaseSeconds + 2)
    expect(mailed).toEqual(['one', 'one'])
    await work(MINUTE)
    expect(mailed).toHaveLength(2)
  })
})

describe('the alarm', () => {
  beforeAll(() => {
    world.evictable = false
  })

  it('that was lost is set at the next wake; a repeated one changes nothing', async () => {
    await schedule(20, 'once')
    await inRealm(realm, async (_object, state) => {
      await state.storage.deleteAlarm()
      state.abort('evicted')
    }).catch(() => {})
    expectSuccess(await ann.api.get('/users/me'))
    await vi.waitFor(async () => {
      expect(await inRealm(realm, (_object, state) => state.storage.getAlarm())).not.toBeNull()
    })
    await work(25)
    await work(0)
    expect((await said()).filter((content) => content === 'once')).toHaveLength(1)
  })

  it('that was lost while the object was awake is set by the next commit', async () => {
    // An object that wakes looks for its alarm anyway, and one whose writes D1 has refused sets it.
    world.evictable = false
    world.d1 = (call) => call()
    await schedule(600, 'later')
    const alarm = () => inRealm(realm, (_object, { storage }) => storage.getAlarm())
    await inRealm(realm, (_object, { storage }) => storage.deleteAlarm())
    world.clockOffset += 300
    expectSuccess(
      await ann.api.post('/messages', { type: 'channel', to: channel.id, topic: 'x', content: 'x' }),
    )
    expect(await alarm()).toBeNull()
    world.clockOffset += HOUR
    expectSuccess(
      await ann.api.post('/messages', { type: 'channel', to: channel.id, topic: 'x', content: 'y' }),
    )
    expect(await alarm()).not.toBeNull()
  })
})
