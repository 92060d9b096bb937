import { visibleChannels } from '../channels/visible-channels.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `stream`: every channel whose metadata the caller may see. */
export const streamSnapshot: Snapshot = (tx, caller, { capabilities }) => ({
  streams: visibleChannels(tx, caller)
    .filter(({ channel }) => !channel.isArchived || capabilities.has('archived_channels'))
    .map(({ presented }) => presented),
})
