import { expect, it } from 'vitest'
import type { Commits } from '../../src/core/command.ts'
import { eachInCommits, inCommits } from '../../src/core/in-commits.ts'

const ITEMS = Array.from({ length: 23 }, (_, at) => at)

/** Makes the commits that are not in `made`. Returns the result, and what all have returned. */
function drive<Result>(commits: Commits<unknown, Result>, made: readonly unknown[] = []) {
  const returned = [...made]
  let step = commits.next()
  for (let at = 0; !step.done; at += 1) {
    if (at === returned.length) returned.push(Reflect.apply(step.value, undefined, []))
    step = commits.next(returned[at])
  }
  return { result: step.value, returned }
}

/** Changes all items, and notes them in `changed`. */
const changeEach = (changed: number[], cost: number) =>
  eachInCommits(ITEMS, cost, (_tx, _caller, next) => {
    changed.push(...next)
    return next.length
  })

it('each item of a list is changed once, in its order', () => {
  for (const cost of [1, 5, 23, 100]) {
    const changed: number[] = []
    const { result } = drive(changeEach(changed, cost))
    expect(changed).toEqual(ITEMS)
    expect(result).toHaveLength(Math.ceil(ITEMS.length / cost))
    expect(Math.max(...result)).toBe(Math.min(cost, ITEMS.length))
  }
})

it('an empty list takes no commit', () => {
  expect(drive(eachInCommits([], 5, () => 'made')).result).toEqual([])
})

it('a commit may do less than it could, or nothing', () => {
  const changed: number[] = []
  const cost = ({ done }: { done: number }) => done
  const { result } = drive(
    eachInCommits(ITEMS, cost, (_tx, _caller, next, before) => {
      const done = before?.done === 0 ? 3 : 0
      changed.push(...next.slice(0, done))
      return { done }
    }),
  )
  expect(changed).toEqual(ITEMS)
  expect(result).toHaveLength(2 * Math.ceil(ITEMS.length / 3))
})

it('what was committed before a crash is not made again', () => {
  const whole = drive(changeEach([], 5))
  for (let count = 0; count <= whole.returned.length; count += 1) {
    const changed: number[] = []
    const { result } = drive(changeEach(changed, 5), whole.returned.slice(0, count))
    expect(result).toEqual(whole.result)
    expect(changed).toEqual(ITEMS.slice(5 * count))
  }
})

it('a change goes on from what is left until a commit returns a result', () => {
  const commits = inCommits<unknown, { left: number }, string>(
    (_tx, _caller, { left } = { left: 4 }) => (left === 0 ? 'over' : { left: left - 1 }),
    (made) => typeof made !== 'string',
  )
  const { result, returned } = drive(commits)
  expect(result).toBe('over')
  expect(returned).toEqual([{ left: 3 }, { left: 2 }, { left: 1 }, { left: 0 }, 'over'])
})
