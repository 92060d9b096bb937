import { deploymentOf, type RequestSource } from '../../core/call.ts'
import { BadRequestError } from '../../core/errors.ts'
import { isAllowedTarget } from '../../core/outgoing-target.ts'

/**
 * Requires that an address which a user enters may be called, '' being none. It is checked at each call as well, since names come to lead
 * elsewhere. Source: docs/interface/bots.md#outgoing-webhooks.
 */
export function requireCallable(
  source: Pick<RequestSource, 'deployment'>,
  parameter: string,
  url: string,
): void {
  if (url !== '' && !isAllowedTarget(url, deploymentOf(source).callableHosts)) {
    throw new BadRequestError(`${parameter} is not an address that this server may call`)
  }
}
