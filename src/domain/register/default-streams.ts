import { isGuest } from '../../permissions/roles.ts'
import { allChannels } from './channels-in-blocks.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `default_streams`: ids of the channels that new accounts join; guests are not told. */
export const defaultStreamsSnapshot: Snapshot = (tx, { user }) => ({
  realm_default_streams: isGuest(user)
    ? []
    : allChannels(tx)
        .filter(({ isDefault, isArchived }) => isDefault && !isArchived)
        .map(({ id }) => id)
        .sort((a, b) => a - b),
})
