import { BadRequestError, UnauthorizedPrincipalError } from '../core/errors.ts'
import type { Actor } from './access.ts'
import { isAdministrator, isOwner } from './roles.ts'

/** Refusals by role inside an operation; access.ts says who may call it at all. Source: docs/interface/conventions.md#errors. */

export function requireAdministrator(actor: Actor): void {
  if (!isAdministrator(actor)) throw new UnauthorizedPrincipalError('Must be an organization administrator')
}

export function requireOwner(actor: Actor): void {
  if (!isOwner(actor)) throw new UnauthorizedPrincipalError('Must be an organization owner')
}

/** The refusal for most permissions, which does not say which one is missing. */
export function insufficientPermission(): BadRequestError {
  return new BadRequestError('Insufficient permission')
}
