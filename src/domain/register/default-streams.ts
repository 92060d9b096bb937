import { isGuest } from '../../permissions/roles.ts'
import { listChannels } from '../channels/channel-rows.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `default_streams`: ids of the channels that new accounts join; guests are not told. */
export const defaultStreamsSnapshot: Snapshot = ({ sql }, { user }) => ({
  realm_default_streams: isGuest(user)
    ? []
    : listChannels(sql)
        .filter(({ isDefault, isArchived }) => isDefault && !isArchived)
        .map(({ id }) => id)
        .sort((a, b) => a - b),
})
