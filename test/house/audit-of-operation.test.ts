import { expect, it } from 'vitest'
import { AUDIT_OF_OPERATION } from '../../src/endpoints/audit-log/audit-of-operation.ts'
import { ENDPOINTS, OPERATIONS } from '../../src/endpoints/index.ts'

it('every operation that changes something stands in the audit log, or says why not', () => {
  const reads = new Set(ENDPOINTS.filter(({ method }) => method === 'GET').map(({ operation }) => operation))
  const others = [...OPERATIONS.keys()].filter((operation) => !reads.has(operation))
  expect(Object.keys(AUDIT_OF_OPERATION).sort()).toEqual(others.sort())
})
