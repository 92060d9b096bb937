import type { Json } from '../support/json.ts'
import { applyChannelEvent } from './apply-channel-event.ts'
import { applyMessageEvent } from './apply-message-event.ts'
import { applyOrganizationEvent } from './apply-organization-event.ts'
import { applyPersonalEvent } from './apply-personal-event.ts'
import { applyUserEvent } from './apply-user-event.ts'
import type { ClientState } from './client-state.ts'

/** Changes the state by one event; returns whether it knows the type. */
export type EventApplier = (state: ClientState, event: Json) => boolean

const APPLIERS: readonly EventApplier[] = [
  applyMessageEvent,
  applyChannelEvent,
  applyUserEvent,
  applyOrganizationEvent,
  applyPersonalEvent,
]

/**
 * How a client brings its register snapshot up to date with an event. It knows the documents and nothing
 * of the server's code. Source: docs/interface/events.md#events-about-messages; docs/interface/events.md#events-about-people; docs/interface/events.md#events-about-channels-and-groups; docs/interface/events.md#events-about-the-organization; docs/interface/events.md#events-about-what-is-ones-own.
 * @throws {Error} for a type that it does not know.
 */
export function applyEvent(state: ClientState, event: Json): void {
  if (event.type === 'heartbeat') return
  if (!APPLIERS.some((apply) => apply(state, event))) {
    throw new Error(`The client model does not know events of type ${event.type}`)
  }
}
