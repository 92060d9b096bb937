import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import { checkSet, namesOfSets } from '../../store/id-set-rows.ts'
import { IDS_PER_POSTING, postedBelow, repostBlock } from '../../store/messages/message-posting-rows.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'
import { entriesOfUse, setUse } from '../../store/quotas/quota-rows.ts'
import { uploadKey } from '../../store/uploads/upload-key.ts'
import { brokenReferences, deleteReferring, wrongLogEntries } from '../../store/verification/check-rows.ts'
import { REFERENCES } from '../../store/verification/references.ts'
import { countUploadSpace, deleteRefused, listFiles } from '../../store/verification/verification-rows.ts'
import { changeUploadSpaceUsed, uploadSpaceUsed } from '../uploads/upload-space.ts'
import { type Check, defineCheck, type Found } from './check.ts'
import { checkOrphans } from './check-orphans.ts'

const FILES_AT_ONCE = 20

/** Reports that D1 or the object was restored from a backup, until a repair acknowledges it. */
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

/** Checks that every upload is in R2, with the right size. */
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

/** Checks that every entry of the log can be read, and that none is missing between two others. */
const checkLog = defineCheck({
  name: 'log',
  examine({ sql }, after) {
    const { broken, afterGap, next } = wrongLogEntries(sql, after, ENTRIES_AT_ONCE)
    const found = (problem: string) => (id: number) => ({ what: `log ${id}`, problem, repaired: false })
    const findings = [
      ...broken.map(found('cannot be read')),
      ...afterGap.map(found('the entry before it is missing')),
    ]
    return { findings, next }
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

/** Checks that the use of each quota is as the triggers have counted it, one kind in each call, since all its rows are read. */
export const checkQuotas = defineCheck({
  name: 'quotas',
  load: async () => {},
  examine({ sql }, after, repair, _loaded, contents) {
    const kinds = contents.countedKinds()
    const kind = kinds[after]
    if (kind === undefined) return { findings: [] }
    const real = contents.recount(kind)
    const stored = entriesOfUse(sql, kind)
    const findings: Found[] = []
    for (const account of new Set([...real.keys(), ...stored.keys()])) {
      const { count, bytes } = real.get(account) ?? { count: 0, bytes: 0 }
      const known = stored.get(account) ?? { count: 0, bytes: 0 }
      if (known.count === count && known.bytes === bytes) continue
      if (repair) setUse(sql, kind, account, { count, bytes })
      const whose = account === 0 ? 'the organization' : `user ${account}`
      const problem = `${known.count} and ${known.bytes} bytes are recorded, of ${count} and ${bytes}`
      findings.push({ what: `${kind} of ${whose}`, problem, repaired: repair })
    }
    return { findings, next: after + 1 < kinds.length ? after + 1 : undefined }
  },
})

/** Checks that no row refers to one that does not exist, with one check for each reference between tables. */
export const REFERENCE_CHECKS: readonly Check[] = REFERENCES.map((reference) =>
  defineCheck({
    name: `${reference.table}.${reference.column}`,
    examine({ sql }, after, repair) {
      const { broken, next } = brokenReferences(sql, reference, after)
      const mends = repair && reference.repair === 'delete'
      if (mends) for (const each of broken) deleteReferring(sql, reference, each)
      const findings = broken.map(({ key, target }) => ({
        what: `${reference.table} ${key}`,
        problem: `${reference.column} names ${reference.target} ${target}, which is not there`,
        repaired: mends,
      }))
      return { findings, next }
    },
  }),
)

const SETS_AT_ONCE = 20

/** Checks that the stored sets of accounts agree with the rows. */
export const checkSets = defineCheck({
  name: 'sets of accounts',
  examine({ sql }, after, repair) {
    const names = namesOfSets(sql, after, SETS_AT_ONCE)
    const findings = names
      .filter((name) => !checkSet(sql, name, repair))
      .map((name): Found => ({ what: `set of ${name}`, problem: 'its rows say otherwise', repaired: repair }))
    return { findings, next: names.length < SETS_AT_ONCE ? undefined : after + SETS_AT_ONCE }
  },
})
