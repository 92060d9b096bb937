import { expect, it, vi } from 'vitest'
import type { Sql } from '../../src/core/sql.ts'
import { ALERT_WORDS } from '../../src/domain/alert-words/known-alert-words.ts'
import { AlertWordIndex } from '../../src/markdown/alert-words.ts'

it('Words of all who have changed theirs are looked for together', () => {
  const words = new Map([
    [1, ['cat']],
    [2, ['dog']],
    [3, ['dog']],
  ])
  const rows = () => [...words].flatMap(([user_id, own]) => own.map((word) => ({ user_id, word })))
  const sql = {
    first: () => ({
      users: JSON.stringify(rows().map(({ user_id }) => user_id)),
      keys: JSON.stringify(rows().map(({ word }) => word)),
    }),
    all: (_: string, userId: unknown) => rows().filter(({ user_id }) => user_id === userId),
  } as Partial<Sql> as Sql
  const known = ALERT_WORDS.load(sql)
  const alerted = () => known.over(sql).usersAlertedBy('a cat, a dog and a cow')
  expect(alerted()).toEqual([1, 2, 3])

  words.set(2, ['horse'])
  words.set(4, ['cow'])
  words.delete(1)
  for (const id of [1, 2, 4]) known.change(sql, id)
  const search = vi.spyOn(AlertWordIndex.prototype, 'find')
  expect(alerted()).toEqual([3, 4])
  words.set(2, ['cow'])
  known.change(sql, 2)
  expect(alerted()).toEqual([2, 3, 4])
  expect(search).toHaveBeenCalledTimes(4)
  search.mockRestore()
})
