import { IDS_PER_POSTING, postedBelow, repostBlock } from '../../store/messages/message-posting-rows.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'
import { uploadKey } from '../../store/uploads/upload-key.ts'
import { countUploadSpace, deleteRefused, listFiles } from '../../store/verification/verification-rows.ts'
import { changeUploadSpaceUsed } from '../uploads/change-upload-space.ts'
import { uploadSpaceUsed } from '../uploads/upload-space.ts'
import { type Check, defineCheck, type Found } from './check.ts'
import { checkLog } from './check-log.ts'
import { checkOrphans } from './check-orphans.ts'

const FILES_AT_ONCE = 20

/** Reports that D1 or the object was restored from a copy, until a repair acknowledges it. */
const checkRestored = defineCheck({
  name: 'restored',
  examine({ sql }, _after, repair) {
    const finding = readMeta<string>(sql, 'd1_restored')
    if (!finding) return { findings: [] }
    if (repair) writeMeta(sql, 'd1_restored', '')
    const problem = `D1 and the object were not in step: ${finding}`
    return { findings: [{ what: 'D1', problem, repaired: repair }] }
  },
})

/** Retries the writes that D1 has refused. */
const checkRefused = defineCheck({
  name: 'refused by D1',
  examine(tx, after, repair, _loaded, contents) {
    const refused = contents.refused(after)
    if (!refused) return { findings: [] }
    if (repair) for (const write of refused.writes) tx.writeToD1(write)
    if (repair) deleteRefused(tx.sql, refused.id)
    const finding = { what: `log ${refused.id}`, problem: refused.reason.slice(0, 200), repaired: repair }
    return { findings: [finding], next: refused.id }
  },
})

/** Checks that postings name every message that belongs to them. */
const checkPostings = defineCheck({
  name: 'postings',
  examine({ sql }, after, repair) {
    if (after >= postedBelow(sql)) return { findings: [] }
    const wrong = repostBlock(sql, after, repair)
    const problem = `${wrong} postings do not name all their messages`
    const findings = wrong === 0 ? [] : [{ what: `messages from ${after}`, problem, repaired: repair }]
    const next = after + IDS_PER_POSTING
    return { findings, next: next < postedBelow(sql) ? next : undefined }
  },
})

/** Checks the stored number of bytes of uploads. */
const checkSpace = defineCheck({
  name: 'upload space',
  examine({ sql }, _after, repair) {
    const [kept, counted] = [uploadSpaceUsed(sql), countUploadSpace(sql)]
    if (kept === counted) return { findings: [] }
    if (repair) changeUploadSpaceUsed(sql, counted - kept)
    const problem = `${kept} bytes are recorded, and there are ${counted}`
    return { findings: [{ what: 'uploads', problem, repaired: repair }] }
  },
})

/** Checks that every upload is in R2, with its size. */
const checkFiles = defineCheck<ReadonlyMap<number, number | null>>({
  name: 'files',
  async load(contents, { sql }, after) {
    const files = listFiles(sql, after, FILES_AT_ONCE)
    const sizes = await Promise.all(
      files.map(async ({ id, path }) => [id, await contents.fileSize(uploadKey(path))] as const),
    )
    return new Map(sizes)
  },
  examine({ sql }, after, _repair, sizes) {
    const files = listFiles(sql, after, FILES_AT_ONCE)
    const findings: Found[] = []
    for (const { id, size } of files) {
      const stored = sizes.get(id)
      if (stored === undefined || stored === size) continue
      const problem = stored === null ? 'is not in R2' : `has ${stored} bytes in R2, and not ${size}`
      findings.push({ what: `attachment ${id}`, problem, repaired: false })
    }
    return { findings, next: files.length < FILES_AT_ONCE ? undefined : files.at(-1)!.id }
  },
})

export const STORE_CHECKS: readonly Check[] = [
  checkLog,
  checkRestored,
  checkRefused,
  checkPostings,
  checkSpace,
  checkFiles,
  checkOrphans,
]
