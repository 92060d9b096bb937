import { expect, it } from 'vitest'
import { ApiError, BadNarrowError, StalledBodyError } from '../../src/core/errors.ts'

it('each refusal has a name of its own for the log', () => {
  const refusals = [new StalledBodyError(), new BadNarrowError('unknown operator'), new ApiError('X', '')]
  expect(refusals.map(({ name }) => name)).toEqual(['StalledBodyError', 'BadNarrowError', 'ApiError'])
})
