import { beforeAll, describe, expect, it } from 'vitest'
import { ACTOR_NAMES } from '../permission-matrix/cast.ts'
import { Inspection } from '../permission-matrix/compare.ts'
import { destinationsOf, isVisit, type Row, readTable } from '../permission-matrix/read-table.ts'
import { neverEvict } from '../support/never-evict.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'

/*
 * The table of permissions once more, with requests below /json and outside the API, from browsers in which the actors are
 * logged in. Bots, browsers of the other organization and browsers whose account was closed count as not logged in.
 */

neverEvict()
useReliableD1()

/** Pages that are open to everybody depend on who reads them (test/http/browser-sessions.test.ts). */
const isPage = (row: Row) => isVisit(row) && row.isOpen
/** Below /api/v1 a browser's session does not count, and below /json the login has an endpoint of its own. */
const ROWS = readTable().filter(
  (row) => !isPage(row) && !row.name.includes(' /api/v1/') && row.operation !== 'fetch-api-key',
)

describe('the permission matrix, by browsers that are logged in', () => {
  let inspection: Inspection
  beforeAll(async () => {
    inspection = await Inspection.begin({ byBrowser: true })
  })

  it.each(ROWS.map((row) => [row.name, row] as const))('%s', async (_name, row) => {
    const rounds = destinationsOf(row).map((destination) => ({ destination, actors: ACTOR_NAMES }))
    const differences = await inspection.differencesOf(row, rounds)
    expect(differences.join('\n')).toBe('')
  })
})
