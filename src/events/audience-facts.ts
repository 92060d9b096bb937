import type { Audience } from '../core/audience.ts'

/** Facts of the past for resolving an audience; the domain reads them from its periods. */
export interface AudienceFacts {
  /** Whether the user was subscribed to the channel at the event `eventId`. */
  subscribedAt(channelId: number, userId: number, eventId: number): boolean
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
