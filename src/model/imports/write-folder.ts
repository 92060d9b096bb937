import { firstUnfitInName } from '../../core/names.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import { findFolderNamed, insertFolder } from '../../store/channel-folders/channel-folder-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'
import { MAX_CHANNEL_DESCRIPTION_LENGTH, MAX_CHANNEL_NAME_LENGTH } from '../channels/change/channel-text.ts'
import { renderDescription } from '../messages/send/render-text.ts'
import { hasRoomInOrganization } from '../quotas/within-quota.ts'
import { lineUpTo } from './fit-text.ts'
import { type ImportWork, noteFound, noteTarget, targetOf } from './import-work.ts'

/** Makes a folder of channels, or takes the one of the same name. */
export function writeFolder(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'channel_folder'>,
): void {
  if (targetOf(tx, work, 'channel_folder', record.id) !== undefined) return
  const { imported, tally } = work
  const name = lineUpTo(work, record.name, MAX_CHANNEL_NAME_LENGTH, 'channel_folder.name')
  const namesake = findFolderNamed(tx.sql, name)
  if (namesake) {
    noteFound(tx, work, 'channel_folder', record.id, namesake.id, 'folders that were here already')
    return
  }
  if (name === '' || firstUnfitInName(name) !== undefined) {
    tally.problem('folder whose name cannot be used', record.name)
    return
  }
  if (!hasRoomInOrganization(tx, 'folders')) {
    tally.problem('no room for more folders', record.name)
    return
  }
  const given = record.description ?? ''
  const description = lineUpTo(work, given, MAX_CHANNEL_DESCRIPTION_LENGTH, 'channel_folder.description')
  const user = findUser(tx.sql, imported.actingUserId)!
  const author = { user, actor: actorOf(tx.sql, user, tx.now) }
  const id = insertFolder(tx.sql, {
    name,
    description,
    renderedDescription: renderDescription(tx, author, description, tx.origin),
    createdAt: tx.now,
    creatorId: user.id,
  })
  noteTarget(tx, work, 'channel_folder', record.id, id, 'folders of channels')
}
