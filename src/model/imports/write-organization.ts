import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import { type RealmImageName, readRealmImage } from '../../store/realm/realm-setting-rows.ts'
import type { ImportWork } from './import-work.ts'
import { notePicture, notePictureUse } from './picture-uses.ts'
import { writeRealmProperty } from './write-realm-property.ts'

const PICTURES: readonly RealmImageName[] = ['icon', 'logo', 'night_logo']

/**
 * Takes pictures of the source's organization, where this one has none. Its name and description stay as they are, unless this one is to become
 * what the source was.
 */
export function writeOrganization(
  tx: RealmTransaction,
  work: ImportWork,
  organization: RecordOf<'organization'>,
): void {
  for (const name of ['name', 'description'] as const) {
    const value = organization[name]
    if (value === undefined) continue
    if (work.imported.mapping.settings) writeRealmProperty(tx, work, name, value)
    else work.tally.count('passedOver', `organization.${name}`)
  }
  for (const name of PICTURES) {
    const file = organization[name]
    if (file === undefined) continue
    notePicture(tx, work, file)
    if (readRealmImage(tx.sql, name).path === null) notePictureUse(tx, work, file, { kind: name })
    else work.tally.count('passedOver', `organization.${name}`)
  }
}
