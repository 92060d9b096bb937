import { beforeAll, describe, expect, it } from 'vitest'
import { Inspection } from '../permission-matrix/compare.ts'
import { BELOW_JSON_ALONE, destinationsOf, isVisit, readTable } from '../permission-matrix/read-table.ts'
import { neverEvict } from '../support/never-evict.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'

/*
 * The table of permissions once more, with every bot's key that somebody can obtain over the API as one more caller: nobody gets
 * through a bot what the table does not give to themselves.
 */

neverEvict()
useReliableD1()

const ROWS = readTable().filter(
  (row) => !(isVisit(row) && row.isOpen) && !BELOW_JSON_ALONE.has(row.operation),
)

describe('the permission matrix, with the keys that people can obtain', () => {
  let inspection: Inspection
  beforeAll(async () => {
    inspection = await Inspection.begin({ withKeys: true })
  })

  it('knows these holders of keys', () => {
    expect(inspection.holders).toEqual([
      'owner: a new bot',
      'owner: a bot in private channels',
      'owner: a bot with an owner’s role',
      'administrator: a new bot',
      'administrator: a bot in private channels',
      'moderator: a new bot',
      'member: a new bot',
      'keeper: a new bot',
      'author: a new bot',
      'author: a bot in private channels',
      'latecomer: a new bot',
      'former subscriber: a new bot',
    ])
  })

  it.each(ROWS.map((row) => [row.name, row] as const))('%s', async (_name, row) => {
    const excesses = await inspection.excessesOf(row, destinationsOf(row))
    expect(excesses.join('\n')).toBe('')
  })
})
