import type { StoredStreamEvent } from '../../../events/stream.ts'

/** Clients that do not know archived channels never hear of one: for them it is not there (docs/interface/events.md#what-a-queue-filters-and-changes). */
export function onlyForThoseWhoSeeArchived(channel: {
  readonly isArchived: boolean
}): Pick<StoredStreamEvent, 'for_archived_channels'> {
  return channel.isArchived ? { for_archived_channels: 'yes' } : {}
}
