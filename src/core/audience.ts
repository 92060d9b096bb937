/**
 * The audience of an event: a small description, never a list of thousands
 * (docs/decisions/design.md#the-log-is-the-only-stream).
 *
 * It is resolved when a queue is read, against what was true when the event happened: channel membership and roles are kept as
 * periods in log ids. The parts are a union, minus `except`.
 */
export interface Audience {
  readonly users?: readonly number[]
  /** Everyone subscribed to this channel at that moment. */
  readonly channel?: number
  /** Everyone who had one of these roles at that moment. */
  readonly roles?: readonly number[]
  readonly except?: readonly number[]
  /**
   * Message events only: every non-guest may read the channel's content, so queues that asked for all public channels, or narrowed to one,
   * get it too (docs/interface/events.md#who-gets-an-event).
   */
  readonly publicChannel?: boolean
  /** For an event that names many channels, in place of the fields above: who sees which of them (events/read-queue.ts). */
  readonly parts?: readonly AudienceOfChannels[]
}

/** The audience of some channels: these users and roles see all of them, everyone else those they are subscribed to. */
export type AudienceOfChannels = Pick<Audience, 'users' | 'roles'> & { readonly channels: readonly number[] }

export const EVERYONE: Audience = { roles: [100, 200, 300, 400, 600] }
export const NON_GUESTS: Audience = { roles: [100, 200, 300, 400] }
export const ADMINISTRATORS: Audience = { roles: [100, 200] }

export function toUsers(...users: number[]): Audience {
  return { users }
}
