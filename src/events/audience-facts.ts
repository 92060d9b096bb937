import type { Audience } from '../core/audience.ts'

/** Facts of the past that resolving an audience needs; the domain answers them from its periods. */
export interface AudienceFacts {
  /** Was the user subscribed to the channel when the event `eventId` happened? */
  subscribedAt(channelId: number, userId: number, eventId: number): boolean
  /** The role the user had then. */
  roleAt(userId: number, eventId: number): number
}

/** May this user see an event with this audience, which happened at `eventId`? */
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
