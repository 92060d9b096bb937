import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { evictRealm } from '../../support/api.ts'
import { buildChannel, expectSuccess } from '../../support/factories.ts'
import { inRealm, insertUsers } from '../../support/inside.ts'
import { Mailbox } from '../../support/mailbox.ts'
import { useReliableD1 } from '../../support/reliable-d1.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const DAY = 86_400
/** Number of people: choosing their messages takes more than two turns. */
const PEOPLE = 1_200

useReliableD1()
const mailbox = new Mailbox()
beforeAll(() => {
  mailbox.open()
})
const { realm } = useRealm({}, { name: 'Large' })
beforeAll(() => {
  mailbox.isFor(realm)
})
afterEach(() => vi.restoreAllMocks())

it('digests reach everybody exactly once though the object is evicted repeatedly', async () => {
  const people = await insertUsers(realm, PEOPLE)
  // The owner's welcome messages are too old for a digest, at whichever hour this test runs.
  mailbox.pass(8 * DAY)
  const now = Date.now() / 1_000 + world.clockOffset
  // The next day at 18:00 UTC.
  const due = (Math.floor(now / DAY) + 1) * DAY + 18 * 3_600
  const weekday = (new Date(due * 1_000).getUTCDay() + 6) % 7
  const settings = { digest_emails_enabled: true, digest_weekday: weekday }
  expectSuccess(await realm.owner.api.patch('/realm', settings))
  await buildChannel([realm.owner])
  mailbox.pass(due - now + 1)
  for (let turn = 0; turn < 4; turn += 1) {
    await inRealm(realm, (object) => object.alarm())
    await evictRealm(realm.id)
    // Moves the clock past the lease of the job that was running.
    mailbox.pass(61)
  }
  const reached = mailbox.posted.map(({ to }) => to[0])
  expect(new Set(reached)).toEqual(new Set(people.map(({ email }) => email)))
  expect(reached).toHaveLength(PEOPLE)
  mailbox.forget()
  await mailbox.deliver(DAY)
  expect(mailbox.posted).toEqual([])
}, 120_000)
