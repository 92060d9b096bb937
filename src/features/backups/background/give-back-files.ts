import { ENTRIES_AT_ONCE } from '../../../core/budgets.ts'
import { MIB } from '../../../core/files.ts'
import type { JobRuntime } from '../../../core/job-runtime.ts'
import { fromJson, type JsonText } from '../../../core/json.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { HOUR } from '../../../core/time.ts'
import { fileKey } from '../../../model/backups/backup-form.ts'
import { hasRoomInOrganization } from '../../../model/quotas/within-quota.ts'
import {
  changeUploadSpaceUsed,
  scheduleRemoval,
  uploadSpaceTaken,
} from '../../../model/uploads/attachments.ts'
import { noteUnclaimed } from '../../../model/uploads/claim-attachments.ts'
import { deleteFindings, findingsWithin, takeFindings } from '../../../store/backups/finding-rows.ts'
import type { ReadingProgress } from '../../../store/backups/reading-rows.ts'
import {
  findAttachmentAt,
  insertFormerAttachment,
  putLink,
  type StoredAttachment,
} from '../../../store/uploads/attachment-rows.ts'
import { cancelRemoval } from '../../../store/uploads/removal-rows.ts'
import { uploadKey } from '../../../store/uploads/upload-keys.ts'
import type { ReadingWork } from './reading-work.ts'

/** The findings of files to which messages that were written link: their rows by id. */
export const FILE = 'file'
/** Number of runs without progress after which a file counts as missing. */
const MAX_TRIES = 4

/** The findings of the messages that link to a file. */
export function linkKind(attachmentId: number): string {
  return `link ${attachmentId}`
}

/** Puts the next file back if it is missing, or links it to messages that were written. */
export async function putNextFile(
  work: ReadingWork,
  progress: Extract<ReadingProgress, { stage: 'files' }>,
): Promise<void> {
  const { sql } = work.runtime
  const [file] = findingsWithin(sql, FILE, { above: 0, upTo: Number.MAX_SAFE_INTEGER, limit: 1 })
  if (!file) return work.commit(progress, () => ({ stage: 'post', after: 0 }))
  const row = file.value === null ? undefined : fromJson(file.value as JsonText<StoredAttachment>)
  const isThere = row !== undefined && findAttachmentAt(sql, row.path) !== undefined
  const outcome = isThere || !row ? undefined : await putFile(work, row)
  work.commit(progress, (tx, count) => {
    const today = row && findAttachmentAt(tx.sql, row.path)
    if (today) {
      const links = takeFindings(tx.sql, linkKind(file.key), ENTRIES_AT_ONCE)
      for (const { key } of links) putLink(tx.sql, today.id, Number(key))
      if (links.length === ENTRIES_AT_ONCE) return progress
    } else if (row && outcome === 'put') {
      enter(tx, row)
      count({ files: 1 })
      return progress
    } else count({ [outcome ?? 'missing_files']: 1 })
    deleteFindings(tx.sql, FILE, [file.key])
    return progress
  })
}

type Outcome = 'put' | 'missing_files' | 'files_without_room'

/** Copies a file from the backup to where it was. */
async function putFile(
  { runtime, reading }: ReadingWork,
  { path, size }: StoredAttachment,
): Promise<Outcome> {
  if (!hasRoom(runtime, size)) return 'files_without_room'
  if (reading.tries >= MAX_TRIES) return 'missing_files'
  const { backups, uploads } = runtime
  const key = uploadKey(path)
  // What breaks off is removed.
  runtime.change((tx) => scheduleRemoval(tx, key, tx.now + HOUR))
  if (await uploads.head(key)) return 'put'
  for (const store of backups.stores) {
    const sealed = await store.get(fileKey(key))
    if (!sealed) continue
    const sealer = await backups.sealer()
    const fixed = new FixedLengthStream(size)
    const piped = sealed.pipeThrough(sealer.openFile()).pipeTo(fixed.writable)
    await Promise.all([uploads.put(key, fixed.readable), piped])
    return 'put'
  }
  return 'missing_files'
}

function hasRoom({ sql, fileLimits }: JobRuntime, size: number): boolean {
  const { uploadQuotaMib } = fileLimits()
  const isBelow = uploadQuotaMib === null || uploadSpaceTaken(sql) + size <= uploadQuotaMib * MIB
  return isBelow && hasRoomInOrganization({ sql }, 'files')
}

function enter(tx: RealmTransaction, row: StoredAttachment): void {
  if (!cancelRemoval(tx.sql, uploadKey(row.path))) throw new Error(`The file ${row.path} was removed again`)
  const id = insertFormerAttachment(tx.sql, row)
  noteUnclaimed(tx, id)
  changeUploadSpaceUsed(tx.sql, row.size)
}
