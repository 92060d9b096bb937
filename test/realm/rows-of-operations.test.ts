import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../../src/endpoints/index.ts'
import type { Runtime } from '../../src/realm/runtime.ts'
import { askEndpoint, isRehearsed } from '../permission-matrix/ask.ts'
import { ACTOR_NAMES, type Actor, type Place } from '../permission-matrix/cast.ts'
import { foundOrganization, type Organization, SITUATIONS } from '../permission-matrix/organization.ts'
import { expectedOf, isVisit, placesOf, type Row, readTable } from '../permission-matrix/read-table.ts'
import { type OperationRows, ROWS } from '../permission-matrix/rows.ts'
import { calmD1 } from '../support/calm-d1.ts'
import { inRealm } from '../support/inside.ts'
import { stayAwake } from '../support/stay-awake.ts'
import { world } from '../support/world.ts'

/*
 * What each operation costs in rows of the object and of D1, in the organization of the permission matrix: the first request of
 * its row that succeeds, with nothing kept from the requests before it. Of a change, what the object reads and writes up to
 * the commit, without the log's row; D1 is written to later (test/realm/row-counts.test.ts has the whole of a send).
 */

const REQUESTS = readTable().filter((row) => !isVisit(row) && !(row.section in SITUATIONS))

let of: Organization
/** Of the object, which stays awake. */
let sql: Runtime['sql']
stayAwake()
calmD1()
beforeAll(async () => {
  of = await foundOrganization({ isSmall: true })
  sql = await inRealm(of.realm, ({ parts }) => parts.sql)
})
afterEach(() => {
  world.rehearses = false
  world.d1 = (call) => call()
})

/** Of what is not in the table. */
const NONE: OperationRows = { read: 0, written: 0, d1: 0 }

/** Whom it is allowed, and where; whom it is refused where everybody is. */
function allowed(row: Row): { actor: Actor; place: Place | undefined } {
  for (const place of placesOf(row)) {
    const actor = ACTOR_NAMES.toReversed().find((name) => expectedOf(row, name, place) === 'ok')
    if (actor) return { actor, place }
  }
  return { actor: 'owner', place: placesOf(row)[0] }
}

async function rowsOf(row: Row): Promise<OperationRows> {
  const { actor, place } = allowed(row)
  world.rehearses = isRehearsed(row, 'ok')
  let d1 = 0
  world.d1 = async (call) => {
    const answer = await call()
    for (const { meta } of [answer].flat() as Partial<D1Result>[]) d1 += meta?.rows_read ?? 0
    return answer
  }
  // Nor is anybody waiting for mail from the requests before it.
  await inRealm(of.realm, ({ parts }) => {
    parts.sql.run('DELETE FROM missed_mail')
    parts.sql.run(`DELETE FROM job WHERE kind = 'send-emails'`)
    parts.alarm.follow()
  })
  sql.forgetKept()
  const before = { ...sql.counts }
  await askEndpoint(of, row, actor, place)
  const after = { ...sql.counts }
  return { read: after.read - before.read, written: after.written - before.written, d1 }
}

describe('rows that an operation reads, writes, and reads in D1', () => {
  it.each(REQUESTS.map((row) => [row.name, row] as const))('%s', async (name, row) => {
    const { read, written, d1 } = await rowsOf(row)
    if (env.ROWS === 'show') console.log(`${name}  ${read} ${written} ${d1}`)
    const known = ROWS.get(name) ?? NONE
    expect(written).toBe(known.written)
    expect(read).toBeLessThanOrEqual(known.read)
    // Another organization's jobs may have asked D1 meanwhile, not each time.
    let least = d1
    for (let again = 0; again < 2 && least > known.d1; again += 1) {
      least = Math.min(least, (await rowsOf(row)).d1)
    }
    expect(least).toBeLessThanOrEqual(known.d1)
  })
})

it('every operation has its rows in the table', () => {
  const named = new Set([...ROWS.keys()].map((name) => name.split(': ')[0]))
  expect([...named].toSorted()).toEqual(ENDPOINTS.map(({ operation }) => operation).toSorted())
})
