import { beforeAll, describe, expect, it } from 'vitest'
import { ACTOR_NAMES } from '../permission-matrix/cast.ts'
import { Inspection } from '../permission-matrix/compare.ts'
import { isVisit, placesOf, type Row, readTable } from '../permission-matrix/read-table.ts'
import { neverEvict } from '../support/never-evict.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'

/*
 * The table of permissions once more: asked below /json, and outside the API, by browsers in which the actors are logged in. A browser of the
 * other organization, and one whose account was closed, are as one that is logged in nowhere; so are bots, which have none.
 */

neverEvict()
useReliableD1()

/** Pages that anybody gets know who reads them (test/http/browser-sessions.test.ts). */
const isPage = (row: Row) => isVisit(row) && row.isOpen
/** Below /api/v1 a browser's session is nothing, and below /json another endpoint is in the place of the log-in. */
const ROWS = readTable().filter(
  (row) => !isPage(row) && !row.name.includes(' /api/v1/') && row.operation !== 'fetch-api-key',
)

describe('the permission matrix, by browsers that are logged in', () => {
  let inspection: Inspection
  beforeAll(async () => {
    inspection = await Inspection.begin({ byBrowser: true })
  })

  it.each(ROWS.map((row) => [row.name, row] as const))('%s', async (_name, row) => {
    const rounds = placesOf(row).map((place) => ({ place, actors: ACTOR_NAMES }))
    const differences = await inspection.differencesOf(row, rounds)
    expect(differences.join('\n')).toBe('')
  })
})
