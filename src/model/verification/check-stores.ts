import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import type { FileInStore } from '../../core/other-stores.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { checkSet, namesOfSets } from '../../store/id-set-rows.ts'
import { keysOfImage } from '../../store/images/public-image.ts'
import { IDS_PER_POSTING, postedBelow, repostBlock } from '../../store/messages/message-posting-rows.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'
import { nextRefusedEntry } from '../../store/projection/projection-rows.ts'
import { entriesOfUse, recount, setUse } from '../../store/quotas/quota-rows.ts'
import { COUNTED_KINDS } from '../../store/schema/quotas.ts'
import { keysToRemove, uploadKey } from '../../store/uploads/upload-keys.ts'
import {
  brokenReferences,
  deleteReferring,
  keysInRemoval,
  namedArchives,
  namedImages,
  namedUploads,
  wrongLogEntries,
} from '../../store/verification/check-rows.ts'
import { REFERENCES } from '../../store/verification/references.ts'
import { countUploadSpace, deleteRefused, listFiles } from '../../store/verification/verification-rows.ts'
import { changeUploadSpaceUsed, scheduleRemoval, uploadSpaceUsed } from '../uploads/attachments.ts'
import { type Check, defineCheck, type Found } from './check.ts'

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

const checkRefused = defineCheck({
  name: 'refused by D1',
  examine(tx, after, repair) {
    const refused = nextRefusedEntry(tx.sql, after)
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
  async fetch(contents, { sql }, after) {
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

/** Checks that the use of each quota is as the triggers have counted it, one kind in each call, since all its rows are read. */
export const checkQuotas = defineCheck({
  name: 'quotas',
  fetch: async () => {},
  examine({ sql }, after, repair) {
    const kind = COUNTED_KINDS[after]
    if (kind === undefined) return { findings: [] }
    const real = recount(sql, kind)
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
    return { findings, next: after + 1 < COUNTED_KINDS.length ? after + 1 : undefined }
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

/** Age of a file, in seconds, below which it may still be on its way. */
const ORPHAN_AFTER_SECONDS = DAY

/** A part of an organization's files, with those that its rows name. */
interface Shelf {
  readonly prefix: string
  /** Returns the file to which this form belongs: a thumbnail of an upload, a picture in another size. */
  wholeOf(key: string): string
  /** Keys that must exist; undefined where another check covers that. */
  readonly required: ReadonlySet<string> | undefined
  isNamed(whole: string): boolean
}

/** Numbers of parts of the check if there are many files: uploads by two digits of their names, pictures by one. */
const UPLOAD_SHELVES = 256
const IMAGE_SHELVES = 16
const FIRST_IMAGES = UPLOAD_SHELVES
const ARCHIVES = FIRST_IMAGES + IMAGE_SHELVES

/** Limit of the files in one part, in thousands. A hundred thousand uploads have some hundreds for two digits, with smaller forms. */
const IN_ONE_SHELF = 20

/** Returns the part of the check at a position. `digits`: the first digits of the names; '' for all files of the kind. */
function shelfAt({ sql, realm }: Pick<RealmView, 'sql' | 'realm'>, position: number, digits: string): Shelf {
  if (position < FIRST_IMAGES) {
    const prefix = `user_uploads/${realm.id}/${digits === '' ? '' : `${digits}/`}`
    const named = namedUploads(sql, prefix)
    // Another check, which knows their sizes, covers the existence of uploads.
    return {
      prefix,
      required: undefined,
      wholeOf: (key) => uploadKey(key.slice('user_uploads/'.length)),
      isNamed: (whole) => named.has(whole),
    }
  }
  if (position < ARCHIVES) {
    const prefix = `images/${realm.id}/${digits}`
    const named = namedImages(sql, prefix)
    return {
      prefix,
      required: named,
      wholeOf: (key) => key.replace(/-[a-z]+$/, ''),
      isNamed: (whole) => named.has(whole),
    }
  }
  const { archives, beingMade } = namedArchives(sql, realm.id)
  return {
    prefix: `exports/${realm.id}/`,
    required: archives,
    wholeOf: (key) => key,
    isNamed: (whole) => archives.has(whole) || beingMade.some((prefix) => whole.startsWith(prefix)),
  }
}

function digitsAt(position: number): string {
  if (position >= ARCHIVES) return ''
  return position < FIRST_IMAGES
    ? position.toString(16).padStart(2, '0')
    : (position - FIRST_IMAGES).toString(16)
}

/** Returns the position after all of a kind, or after one of its parts. */
function nextAfter(position: number, digits: string): number | undefined {
  if (position >= ARCHIVES) return undefined
  if (digits !== '') return position + 1
  return position < FIRST_IMAGES ? FIRST_IMAGES : ARCHIVES
}

interface LoadedFiles {
  readonly digits: string
  readonly stored: readonly FileInStore[]
  /** Files that were required before R2 was read. */
  readonly required: ReadonlySet<string> | undefined
}

/** Checks that R2 has no file that no row names, and has every picture and archive that a row names. */
const checkOrphans = defineCheck<LoadedFiles>({
  name: 'files in R2',

  async fetch(contents, view, after) {
    if (after === 0 || after === FIRST_IMAGES) {
      const { prefix, required } = shelfAt(view, after, '')
      const stored = await contents.listFiles(prefix, 1)
      if (stored) return { digits: '', required, stored }
    }
    const digits = digitsAt(after)
    const { prefix, required } = shelfAt(view, after, digits)
    return { digits, required, stored: (await contents.listFiles(prefix, IN_ONE_SHELF)) ?? [] }
  },

  examine(tx, after, repair, { digits, stored, required: before }) {
    const shelf = shelfAt(tx, after, digits)
    const goesAnyway = keysInRemoval(tx.sql, shelf.prefix)
    const findings: Found[] = []
    for (const { key, storedAt } of stored) {
      const whole = shelf.wholeOf(key)
      const isOld = storedAt < tx.now - ORPHAN_AFTER_SECONDS
      if (!isOld || shelf.isNamed(whole) || goesAnyway.has(whole)) continue
      const goesWithIt = keysToRemove(whole).flatMap(keysOfImage).includes(key)
      if (repair) scheduleRemoval(tx, goesWithIt ? whole : key, tx.now)
      findings.push({ what: `file ${key}`, problem: 'is named by nothing', repaired: repair })
    }
    const there = new Set(stored.map(({ key }) => key))
    for (const key of shelf.required ?? []) {
      if (!before?.has(key) || there.has(key)) continue
      findings.push({ what: `file ${key}`, problem: 'is not in R2', repaired: false })
    }
    return { findings, next: nextAfter(after, digits) }
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
