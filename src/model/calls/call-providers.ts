import { deploymentOf, type RequestSource } from '../../core/call.ts'
import type { CallService } from '../../core/call-services.ts'
import { BadRequestError } from '../../core/errors.ts'

interface CallProvider {
  readonly name: string
  readonly id: number
}

/** Providers that need no set-up: clients make up the addresses of calls with Jitsi. */
const ALWAYS = { disabled: { name: 'None', id: 0 }, jitsi_meet: { name: 'Jitsi Meet', id: 1 } }

const BY_SERVICE: Readonly<Record<CallService, CallProvider>> = {
  zoom: { name: 'Zoom', id: 3 },
  big_blue_button: { name: 'BigBlueButton', id: 4 },
  zoom_server_to_server: { name: 'Zoom', id: 5 },
  nextcloud_talk: { name: 'Nextcloud Talk', id: 7 },
}

/** Returns the providers that an organization of this deployment can choose, by their names in the API. */
export function availableCallProviders(
  source: Pick<RequestSource, 'deployment'>,
): Readonly<Record<string, CallProvider>> {
  const services = deploymentOf(source).callServices
  return { ...ALWAYS, ...Object.fromEntries(services.map((service) => [service, BY_SERVICE[service]])) }
}

export function isCallProviderAvailable(source: Pick<RequestSource, 'deployment'>, id: number): boolean {
  return Object.values(availableCallProviders(source)).some((provider) => provider.id === id)
}

const REFUSALS: Readonly<Record<CallService, string>> = {
  zoom: 'Zoom is not configured on this server.',
  zoom_server_to_server: 'Zoom is not configured on this server.',
  big_blue_button: 'BigBlueButton is not configured on this server.',
  nextcloud_talk: 'Nextcloud Talk is not configured.',
}

export function isCallServiceConnected(
  source: Pick<RequestSource, 'deployment'>,
  service: CallService,
): boolean {
  return deploymentOf(source).callServices.includes(service)
}

/** @throws BadRequestError unless the deployment is connected to the service */
export function requireCallService(source: Pick<RequestSource, 'deployment'>, service: CallService): void {
  if (!isCallServiceConnected(source, service)) throw new BadRequestError(REFUSALS[service])
}
