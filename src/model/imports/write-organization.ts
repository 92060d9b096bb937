import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import { readRealmImage } from '../../store/realm/realm-setting-rows.ts'
import type { ImportWork } from './import-work.ts'
import { notePicture, notePictureUse } from './picture-uses.ts'

/** Takes the picture of the source's organization, where this one has none. Its name and description stay as they are. */
export function writeOrganization(
  tx: RealmTransaction,
  work: ImportWork,
  { name, description, icon }: RecordOf<'organization'>,
): void {
  if (name !== undefined) work.tally.count('passedOver', 'organization.name')
  if (description !== undefined) work.tally.count('passedOver', 'organization.description')
  if (icon === undefined) return
  notePicture(tx, work, icon)
  if (readRealmImage(tx.sql, 'icon').path === null) notePictureUse(tx, work, icon, { kind: 'icon' })
  else work.tally.count('passedOver', 'organization.icon')
}
