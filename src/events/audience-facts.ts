import type { Audience } from '../core/audience.ts'

/** Facts of the past for resolving an audience; the domain reads them from its periods. */
export interface AudienceFacts {
  /** Whether the user was subscribed to the channel at the event `eventId`. */
  subscribedAt(channelId: number, userId: number, eventId: number): boolean
  /** Returns those of the channels to which the user was subscribed at the event. */
  channelsAt(channelIds: readonly number[], userId: number, eventId: number): readonly number[]
  /** Returns the role that the user had at the event. */
  roleAt(userId: number, eventId: number): number
}

/** Whether this user may see an event with this audience, which happened at `eventId`. */
export function isInAudience(
  audience: Audience,
  userId: number,
  eventId: number,
  facts: AudienceFacts,
): boolean {
  if (audience.except?.includes(userId)) return false
  if (audience.users?.includes(userId)) return true
  if (audience.roles?.includes(facts.roleAt(userId, eventId))) return true
  return audience.channel !== undefined && facts.subscribedAt(audience.channel, userId, eventId)
}

/**
 * Returns the channels of an event with this audience of which this user may see that it happened; undefined where the audience is
 * not in parts.
 */
export function channelsSeen(
  { parts, except }: Audience,
  userId: number,
  eventId: number,
  facts: AudienceFacts,
): readonly number[] | undefined {
  if (parts === undefined) return undefined
  if (except?.includes(userId)) return []
  return parts.flatMap(({ channels, ...who }) =>
    isInAudience(who, userId, eventId, facts) ? channels : facts.channelsAt(channels, userId, eventId),
  )
}
