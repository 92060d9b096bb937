import { isGuest } from '../../permissions/roles.ts'
import { presentDefaultGroups } from '../default-channel-groups/present-default-channel-groups.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `default_stream_groups`; guests are not told. */
export const defaultStreamGroupsSnapshot: Snapshot = (tx, { user }) => ({
  realm_default_stream_groups: isGuest(user) ? [] : presentDefaultGroups(tx.sql),
})
