import { expect, it } from 'vitest'
import { roundTripOf } from '../../scripts/round-trip.ts'

it('The demo organization is the same after its way through an archive', { timeout: 900_000 }, async () => {
  const { before, after, findings } = await roundTripOf(undefined)
  expect(before.sections.find(({ name }) => name === 'message')!.count).toBeGreaterThan(3_000)
  expect(after.sections).toEqual(before.sections)
  expect(after.whole).toBe(before.whole)
  expect(findings).toBe(0)
})
