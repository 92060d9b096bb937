import { expect, it } from 'vitest'
import { LaneWork } from '../../src/realm/outgoing/lane-work.ts'
import { LANES } from '../../src/realm/outgoing/lanes.ts'
import { beginOutgoing, type OutgoingWork } from '../../src/realm/outgoing/outgoing-work.ts'
import { inRealm } from '../support/inside.ts'
import { useRealmPerTest } from '../support/use-realm.ts'

const { realm } = useRealmPerTest({})

it('what ends without waiting for anything is sent some at a time', async () => {
  const count = 4 * LANES.mail.jobsPerTurn
  let left = count
  const work: OutgoingWork<{ readonly attempts: number }> = {
    lane: 'mail',
    job: 'send-emails',
    lease: () => (left > 0 ? { attempts: 1 } : undefined),
    async carryOut() {
      left -= 1
    },
    retryLater() {},
    giveUp() {},
    nextAt: () => undefined,
  }
  const sentInTurns = await inRealm(realm, async ({ parts }) => {
    const endings: (() => void)[] = []
    const pause = () => new Promise<void>((resolve) => endings.push(resolve))
    beginOutgoing({ ...parts, lanes: new LaneWork(1), pause }, work)
    const sent: number[] = []
    for (let turn = 0; turn < 5; turn += 1) {
      // All that follows in the same turn has been done then.
      await new Promise((resolve) => setTimeout(resolve))
      sent.push(count - left)
      endings.shift()?.()
    }
    return sent
  })
  expect(sentInTurns.map((sent) => sent / LANES.mail.jobsPerTurn)).toEqual([1, 2, 3, 4, 4])
})
