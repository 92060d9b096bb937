import { describe, expect, it } from 'vitest'
import { compareRecordings } from '../recording/compare.ts'
import type { Exchange } from '../recording/record.ts'

/** The answers to one test's requests. */
const recording = (...answers: readonly unknown[]): Exchange[] =>
  answers.map((answer, at) => ({
    file: 'a.test.ts',
    test: 'a rule',
    at,
    request: `GET /api/v1/messages/${at}`,
    sent: '',
    status: 200,
    answer: JSON.stringify(answer),
  }))
const places = (before: Exchange[], again: Exchange[], after: Exchange[]) =>
  compareRecordings(before, again, after).different.flatMap(({ differences }) =>
    differences.map(({ place }) => place.replaceAll('\t', '.')),
  )

describe('the comparison of two builds', () => {
  it('names each value that differs, is missing, or is new', () => {
    const before = recording({ id: 1, to: [{ name: 'a' }], gone: 1 })
    const after = recording({ id: 1, to: [{ name: 'b' }], new: 1 })
    expect(places(before, before, after)).toEqual(['answer.to.0.name', 'answer.gone', 'answer.new'])
  })

  it('names a list of another length, another status, and another order of keys', () => {
    const before = recording([1], { a: 1, b: 2 }, 'text')
    const after = recording([1, 2], { b: 2, a: 1 }, 'text').map((one, at) =>
      at === 2 ? { ...one, status: 400 } : one,
    )
    expect(places(before, before, after)).toEqual(['answer', 'answer.order', 'status'])
  })

  it('ignores values that differ between two runs of the same build, and their content', () => {
    const before = recording({ time: 1, list: [1], same: 1 })
    const again = recording({ time: 2, list: [1, 2], same: 1 })
    const after = recording({ time: 3, list: [5], same: 2 })
    expect(places(before, again, after)).toEqual(['answer.same'])
  })

  it('ignores the hosts and ids of organizations, which depend on the run', () => {
    const before = recording({ realm_id: 1, url: 'http://realm1-00ff00aa.test' })
    const after = recording({ realm_id: 7, url: 'http://realm3-11ff00aa.test' })
    expect(places(before, before, after)).toEqual([])
  })

  it('names a test that makes other requests, unless it never makes the same', () => {
    const before = recording(1, 2)
    expect(places(before, before, recording(1))).toEqual(['requests'])
    const unsteady = compareRecordings(before, recording(1), recording(1, 3))
    expect(unsteady).toEqual({ different: [], compared: 0, left: 2 })
  })
})
