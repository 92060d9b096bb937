import type { StoredStreamEvent } from '../../../events/stream.ts'

/**
 * Restricts an event to clients that know archived channels; to others an archived channel does not exist
 * (docs/interface/events.md#what-a-queue-filters-and-changes).
 */
export function onlyForThoseWhoSeeArchived(channel: {
  readonly isArchived: boolean
}): Pick<StoredStreamEvent, 'for_archived_channels'> {
  return channel.isArchived ? { for_archived_channels: 'yes' } : {}
}
