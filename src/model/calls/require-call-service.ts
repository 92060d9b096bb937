import { deploymentOf, type RequestSource } from '../../core/call.ts'
import type { CallService } from '../../core/call-services.ts'
import { BadRequestError } from '../../core/errors.ts'

const REFUSALS: Readonly<Record<CallService, string>> = {
  zoom: 'Zoom is not configured on this server.',
  big_blue_button: 'BigBlueButton is not configured on this server.',
  nextcloud_talk: 'Nextcloud Talk is not configured.',
}

/** @throws BadRequestError where the deployment is not connected with the service */
export function requireCallService(source: Pick<RequestSource, 'deployment'>, service: CallService): void {
  if (!deploymentOf(source).callServices.includes(service)) throw new BadRequestError(REFUSALS[service])
}
