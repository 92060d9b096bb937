import { describe, expect, it } from 'vitest'
import { inRealm } from '../support/inside.ts'
import { neverEvict } from '../support/never-evict.ts'
import { buildRealm } from '../support/use-realm.ts'
import { inWatchedSlices } from '../support/watched-slices.ts'
import { expectKept } from './expect-kept.ts'
import { LARGE_LISTS, type Place } from './large-lists.ts'

/*
 * Answers that one slice of the object's thread does not make. However it is cut, an answer is what it would be in one slice; and what changes
 * meanwhile is in it: it is what the same request gets afterwards.
 */

// The object that is asked is the one whose slices are watched.
neverEvict()

const build = (): Promise<Place> =>
  buildRealm(
    { ann: 'member', ben: 'member', guest: 'guest' },
    {
      channels: {
        hall: ['owner', 'ann', 'ben', 'guest'],
        cellar: {
          subscribers: ['owner', 'ann', 'ben'],
          invite_only: true,
          history_public_to_subscribers: false,
        },
      },
    },
  )

/** Nothing is remembered from earlier requests. `rowsOfTurn`: the limit of a slice. */
const forget = ({ realm }: Place, rowsOfTurn?: number) =>
  inRealm(realm, ({ parts: { readings, sql } }) => {
    sql.watch.forget()
    const usual = readings.limits
    if (rowsOfTurn) readings.limits = { ...usual, rowsOfTurn }
    return () => {
      readings.limits = usual
    }
  })

describe.each(Object.entries(LARGE_LISTS))('%s', (name, arrange) => {
  it('is as in one slice, in slices of limited rows, whatever changes meanwhile', async () => {
    const place = await build()
    const { ask, rowsOfSlice, meanwhile = {} } = await arrange(place)
    const back = await forget(place, 10_000_000)
    const whole = await ask()
    await inRealm(place.realm, back)
    await forget(place, rowsOfSlice)
    const { answer, turns, most } = await inWatchedSlices(place.realm, ask)
    expect(answer).toEqual(whole)
    for (const [what, change] of Object.entries(meanwhile)) {
      await forget(place, rowsOfSlice)
      const { answer, turns } = await inWatchedSlices(place.realm, ask, async (slice) => {
        if (slice === 1) await change()
      })
      expect(turns, what).toBeGreaterThan(0)
      await forget(place)
      expect(answer, what).toEqual(await ask())
    }
    expectKept(name, { slices: turns + 1, read: most, written: 0 })
  })
})
