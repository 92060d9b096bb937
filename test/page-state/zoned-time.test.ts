import { describe, expect, it } from 'vitest'
import { nextMornings, secondsOfTime, textOfTime } from '../../web/ui/zoned-time.ts'

const at = (time: string) => Date.parse(time) / 1_000

describe('likely times', () => {
  it('are nine o’clock in the zone in which times are shown', () => {
    // Saturday evening in Los Angeles, Sunday in Tokyo.
    const now = at('2026-02-28T20:30:00-08:00')
    expect(nextMornings(now, 'America/Los_Angeles')).toEqual({
      tomorrow: at('2026-03-01T09:00:00-08:00'),
      monday: at('2026-03-02T09:00:00-08:00'),
    })
    expect(nextMornings(now, 'Asia/Tokyo').tomorrow).toBe(at('2026-03-02T09:00:00+09:00'))
  })

  it('name no Monday on a Sunday, whose next day it is', () => {
    expect(nextMornings(at('2026-03-01T12:00:00Z'), 'UTC').monday).toBeUndefined()
    expect(nextMornings(at('2026-03-02T08:00:00Z'), 'UTC').monday).toBe(at('2026-03-09T09:00:00Z'))
  })

  it('stay at nine when clocks are put forward that night', () => {
    expect(nextMornings(at('2026-03-28T12:00:00+01:00'), 'Europe/Berlin').tomorrow).toBe(
      at('2026-03-29T09:00:00+02:00'),
    )
  })

  it('come back from a field as they were', () => {
    const seconds = at('2026-07-05T15:45:00Z')
    expect(textOfTime(seconds, 'Asia/Kolkata')).toBe('2026-07-05T21:15')
    expect(secondsOfTime('2026-07-05T21:15', 'Asia/Kolkata')).toBe(seconds)
  })
})
