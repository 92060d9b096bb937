import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { requireQueueNarrow } from '../../events/queue-narrow.ts'
import type { Anyone } from '../../model/anyone.ts'
import { declaredCapabilities, narrowPair, type RegisterParams } from '../../model/events/register-queue.ts'
import { spectatorState } from '../../model/register/initial-state.ts'
import { versionKeys } from '../../model/server/version.ts'
import { spectatorCaller } from '../../model/spectators/spectator.ts'
import { registrationParameters } from './registration-parameters.ts'

/**
 * Returns the snapshot for a visitor without an account: what is web-public, and who writes. There is no
 * queue. Source: docs/interface/visitors.md#the-snapshot.
 */
export const registerSpectatorEndpoint = defineEndpoint({
  operation: 'register-spectator',
  method: 'POST',
  path: '/register',
  access: 'spectator',
  params: registrationParameters,
  returns: v.looseObject({
    queue_id: v.null(),
    zulip_version: v.string(),
    zulip_feature_level: v.number(),
  }),
  command: { apply: registerSpectator },
  audit: 'read-only',
  largeAnswer: true,
  answersInSections: true,
  // The request changes nothing.
  idempotency: 'harmless',
  repeatable: () => true,
})

function registerSpectator(tx: RealmTransaction, { source }: Anyone, params: RegisterParams): object {
  for (const name of ['client_gravatar', 'include_subscribers'] as const) {
    if (params[name]) throw new BadRequestError(`Invalid '${name}' parameter for anonymous request`)
  }
  requireQueueNarrow((params.narrow ?? []).map(narrowPair))
  const state = spectatorState(tx, spectatorCaller(tx, source), {
    types: params.fetch_event_types ?? params.event_types ?? null,
    eventTypes: params.event_types ?? null,
    clientGravatar: false,
    slimPresence: false,
    includeSubscribers: false,
    capabilities: new Set(declaredCapabilities(params.client_capabilities)),
    userAgent: source.userAgent,
    presenceHistoryLimitDays: null,
  })
  return { queue_id: null, ...versionKeys(), ...state }
}
