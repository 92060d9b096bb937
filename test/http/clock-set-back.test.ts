import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ISOLATE } from '../../src/core/budgets.ts'
import { workerMemory } from '../../src/http/request/admission-control.ts'
import { FewAtOnce } from '../../src/http/snapshot/ask-in-sections.ts'
import { expectSuccess } from '../support/factories.ts'
import { neverEvict } from '../support/never-evict.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { HOUR } from '../support/times.ts'
import { postFiles } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'

const { ann } = useRealm({ ann: 'member' })
// What is counted here are calls to the object that are under way.
neverEvict()
useReliableD1()

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function setBack(): void {
  vi.setSystemTime(Date.now() - HOUR * 1_000)
}

describe('when the clock is set back by an hour', () => {
  it('memory of a request that never ended is free again at once', async () => {
    const release = (await workerMemory.take(ISOLATE.shares / 2))!
    const other = (await workerMemory.take(ISOLATE.shares / 2))!
    setBack()
    expectSuccess(await postFiles(ann, '/user_uploads', [{ content: new Uint8Array(500_000) }]))
    release()
    other()
  })

  it('turns that never ended are over, and so is waiting for one', async () => {
    const limits = {
      atOnce: 1,
      waiting: 3,
      ofOne: 3,
      milliseconds: 60_000,
      turn: 60_000,
      answered: 9,
      answer: 60_000,
    }
    const few = new FewAtOnce(limits)
    await few.enter('ann')
    setBack()
    const turn = await few.enter('ann')
    const waits = few.enter('ann')
    turn.answer()
    ;(await waits).answer()
    expect(few.isEmpty).toBe(false)
    setBack()
    expect(few.isEmpty).toBe(true)
    const patient = new FewAtOnce({ ...limits, turn: 2 * HOUR * 1_000 })
    await patient.enter('ann')
    const refused = patient.enter('ann')
    setBack()
    await expect(refused).rejects.toMatchObject({ status: 503 })
  })
})
