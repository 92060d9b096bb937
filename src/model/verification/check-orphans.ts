import type { FileInStore } from '../../core/command.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { keysOfImage } from '../../store/images/public-image.ts'
import { uploadKey } from '../../store/uploads/upload-key.ts'
import {
  keysInRemoval,
  namedArchives,
  namedImages,
  namedUploads,
} from '../../store/verification/check-rows.ts'
import { scheduleRemoval } from '../uploads/discard-attachment.ts'
import { keysToRemove } from '../uploads/upload-address.ts'
import { defineCheck, type Found } from './check.ts'

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
export const checkOrphans = defineCheck<LoadedFiles>({
  name: 'files in R2',

  async load(contents, view, after) {
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
