import type { RequestSource } from '../../core/call.ts'
import { BadRequestError } from '../../core/errors.ts'
import { isAllowedTarget } from '../../core/outgoing-target.ts'

/**
 * Requires that an address which a user enters may be called, '' being none. It is checked at each call as well, since names come to lead
 * elsewhere. Source: docs/interface/bots.md#outgoing-webhooks.
 */
export function requireCallable(
  { deployment }: Pick<RequestSource, 'deployment'>,
  parameter: string,
  url: string,
): void {
  // An older Worker does not know what the deployment allows.
  if (url === '' || deployment?.callableHosts === undefined) return
  if (!isAllowedTarget(url, deployment.callableHosts)) {
    throw new BadRequestError(`${parameter} is not an address that this server may call`)
  }
}
