import type { Endpoint, Operation } from '../api/define-endpoint.ts'
import * as declarations from './declarations.ts'

const EXPORTED: readonly unknown[] = Object.values(declarations)
const DECLARED = EXPORTED.filter(isOperation)
const ROUTED = DECLARED.filter(isEndpoint)
/** Endpoints that answer in the place of another, and share its route. */
const REPLACING = new Set(ROUTED.flatMap(({ belowJson, forSpectators }) => [belowJson, forSpectators]))

/** Every operation of the API. */
export const ENDPOINTS: readonly Endpoint[] = ROUTED.filter((endpoint) => !REPLACING.has(endpoint))

/** Operations of the realm object, by name. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  DECLARED.map((operation) => [operation.operation, operation]),
)

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'operation' in value && 'command' in value
}

function isEndpoint(operation: Operation): operation is Endpoint {
  return 'path' in operation
}
