import { expect, it } from 'vitest'
import { LANES } from '../../src/outgoing/lanes.ts'
import { beginOutgoing, type OutgoingWork } from '../../src/outgoing/outgoing-work.ts'
import { WorkInLanes } from '../../src/outgoing/work-in-lanes.ts'
import { inRealm } from '../support/inside.ts'
import { useRealmPerTest } from '../support/use-realm.ts'

const { realm } = useRealmPerTest({})

it('what ends without waiting for anything is sent some at a time', async () => {
  const count = 4 * LANES.mail.jobsPerSlice
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
  const sentInSlices = await inRealm(realm, async ({ parts }) => {
    const endings: (() => void)[] = []
    const pause = () => new Promise<void>((resolve) => endings.push(resolve))
    beginOutgoing({ ...parts, lanes: new WorkInLanes(1), pause }, work)
    const sent: number[] = []
    for (let turn = 0; turn < 5; turn += 1) {
      // All that follows in the same turn has been done then.
      await new Promise((resolve) => setTimeout(resolve))
      sent.push(count - left)
      endings.shift()?.()
    }
    return sent
  })
  expect(sentInSlices.map((sent) => sent / LANES.mail.jobsPerSlice)).toEqual([1, 2, 3, 4, 4])
})
