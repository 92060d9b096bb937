import * as v from 'valibot'
import type { RealmCall } from '../core/call.ts'
import { BadRequestError, ServiceUnavailableError } from '../core/errors.ts'
import { log } from '../core/log.ts'
import type { Operation } from './define-endpoint.ts'

/**
 * Returns the parameters of a call if they fit a step's declaration; otherwise throws. Texts that are too
 * long were written by someone, in a form of a page or in a mail (400). Missing or unknown parameters, or
 * those of another type, come from a Worker of another build during a deploy, and the call is to be repeated
 * (503, after `retrySeconds`).
 */
export function checkedParameters(
  { operation, stepParams }: Operation,
  given: RealmCall['parameters'],
  retrySeconds: number,
): RealmCall['parameters'] {
  if (!stepParams || !given.ok) return given
  const { success, output, issues } = v.safeParse(stepParams, given.value, {
    abortEarly: true,
    abortPipeEarly: true,
  })
  if (success) return { ok: true, value: output }
  const parameter = v.getDotPath(issues[0]) ?? ''
  if (issues[0].kind === 'validation') {
    return { ok: false, error: new BadRequestError(`${parameter} ${issues[0].message}`).toWire() }
  }
  log('error', 'A step was asked for with other parameters than it has: Worker and object differ', {
    operation,
    parameter,
  })
  return { ok: false, error: new ServiceUnavailableError(retrySeconds).toWire() }
}
