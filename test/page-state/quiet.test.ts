import { describe, expect, it } from 'vitest'
import { endOfPause, isQuiet, NEVER_QUIET } from '../../web/state/quiet.ts'

const at = (time: string) => new Date(`2026-03-05T${time}:00`)

describe('notifications of a browser', () => {
  it('are paused by hand until a time', () => {
    const until = at('12:00').getTime()
    expect(isQuiet({ ...NEVER_QUIET, until }, at('11:59'))).toBe(true)
    expect(isQuiet({ ...NEVER_QUIET, until }, at('12:00'))).toBe(false)
  })

  it('are paused daily between two times, also past midnight', () => {
    const nightly = { ...NEVER_QUIET, isDaily: true }
    const heard = (time: string) => !isQuiet(nightly, at(time))
    expect(['21:59', '22:00', '03:00', '07:59', '08:00'].map(heard)).toEqual([
      true,
      false,
      false,
      false,
      true,
    ])
    const atLunch = { ...nightly, from: '12:00', to: '13:00' }
    expect(['11:59', '12:00', '13:00'].map((time) => isQuiet(atLunch, at(time)))).toEqual([
      false,
      true,
      false,
    ])
    expect(isQuiet({ ...atLunch, isDaily: false }, at('12:30'))).toBe(false)
    expect(isQuiet({ ...nightly, to: '22:00' }, at('12:30'))).toBe(true)
  })

  it('come again after half an hour, an hour, or tomorrow at nine', () => {
    expect(endOfPause('half', at('10:00'))).toBe(at('10:30').getTime())
    expect(endOfPause('hour', at('10:00'))).toBe(at('11:00').getTime())
    expect(endOfPause('tomorrow', at('23:30'))).toBe(new Date('2026-03-06T09:00:00').getTime())
  })
})
