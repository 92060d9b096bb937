import { expect, it } from 'vitest'
import { roundTripOf } from '../../scripts/round-trip.ts'

it.each([
  { what: 'the demo organization', size: undefined, messages: 3_000 },
  {
    what: 'a seeded organization',
    size: { users: 100, channels: 20, messages: 2_500 },
    messages: 2_499,
  },
])(
  '$what is the same after a round trip through an archive',
  { timeout: 900_000 },
  async ({ size, messages }) => {
    const { before, after, findings } = await roundTripOf(size)
    expect(before.sections.find(({ name }) => name === 'message')!.count).toBeGreaterThan(messages)
    expect(after.sections).toEqual(before.sections)
    expect(after.whole).toBe(before.whole)
    expect(findings).toBe(0)
  },
)
