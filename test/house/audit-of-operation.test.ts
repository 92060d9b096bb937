import { expect, it } from 'vitest'
import { OPERATIONS } from '../../src/features/index.ts'

it('every operation that changes something is in the audit log, or says why not', () => {
  const others = [...OPERATIONS.values()].filter(
    (operation) => !('method' in operation && operation.method === 'GET'),
  )
  expect(others.length).toBeGreaterThan(150)
  expect(others.filter(({ audit }) => audit === undefined)).toEqual([])
})
