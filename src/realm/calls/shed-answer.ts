import type { Operation } from '../../api/define-endpoint.ts'
import { CostCapError } from '../../core/errors.ts'
import type { CallRuntime } from './call-runtime.ts'

/**
 * Returns the answer to an operation that the organization goes without while it is near its cost cap; undefined for all others.
 * @throws CostCapError if it is refused
 */
export function shedAnswer(
  { cost }: CallRuntime,
  { shed }: Operation,
  params: unknown,
  now: number,
): object | undefined {
  if (!shed || shed.afterwards || !cost.isShed(shed.step)) return undefined
  if (!shed.answer) throw new CostCapError()
  return shed.answer(params, now)
}
