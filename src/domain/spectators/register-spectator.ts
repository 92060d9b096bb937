import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import { requireQueueNarrow } from '../../events/queue-narrow.ts'
import type { Anyone } from '../anyone.ts'
import { declaredCapabilities, narrowPair, type RegisterParams } from '../events/register-queue.ts'
import { spectatorState } from '../register/initial-state.ts'
import { versionKeys } from '../server/version.ts'
import { spectatorCaller } from './spectator.ts'

/**
 * Returns the snapshot for somebody without an account: what is web-public, and who writes. There is no
 * queue. Source: docs/interface/visitors.md#the-snapshot.
 */
export const registerSpectator: Command<Anyone, RegisterParams, void, object> = {
  apply(tx, { source }, params) {
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
  },
}
