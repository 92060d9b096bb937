import { PAUSES } from '../../../core/budgets.ts'
import { joinedBytes } from '../../../core/growing-bytes.ts'
import type { JobRuntime } from '../../../core/job-runtime.ts'
import type { TimeLimit } from '../../../core/within-time.ts'
import { type Bytes, blocksOf, ImportRefusedError } from '../../../imports/import-reader.ts'
import { DamagedDataError, inflated, refuseBomb } from '../../../imports/inflate.ts'
import {
  type ImportProgress,
  type RealmImport,
  requireAdvance,
  type UnpackingProgress,
  writeUnpackedSize,
} from '../../../store/imports/import-rows.ts'
import { archiveOf, UNPACKED_BYTES, unpackedKey } from './stored-archive.ts'

/** Bytes of the archive that are read at a time. */
const BLOCK_BYTES = 1024 * 1024
/** Bytes that an archive may unpack to, and the number of times that unpacking may begin again. */
const [MAX_BYTES, MAX_READINGS] = [200 * 1024 * 1024 * 1024, 50] as const

/**
 * An archive that is being unpacked. Its state cannot be stored: if the object dies, another reading begins from the
 * start, and skips the parts that are stored already.
 */
class Reading {
  readonly importId: number
  readonly #blocks: AsyncGenerator<Uint8Array>
  #rest: Uint8Array = new Uint8Array(0)
  /** Parts read so far. */
  parts = 0

  constructor(importId: number, archive: Bytes) {
    this.importId = importId
    this.#blocks = inflated(blocksOf(archive, BLOCK_BYTES), 'gzip')
  }

  /** Reads the next part. The last one is shorter, or empty. */
  async next(pause: () => Promise<void>): Promise<Uint8Array> {
    const held = [this.#rest]
    let length = this.#rest.length
    for (let read = 0; length < UNPACKED_BYTES; read += 1) {
      const block = await this.#blocks.next()
      if (block.done) break
      held.push(block.value)
      length += block.value.length
      if (read % 16 === 15) await pause()
    }
    const whole = joinedBytes(held)
    this.parts += 1
    this.#rest = whole.slice(UNPACKED_BYTES)
    return whole.subarray(0, UNPACKED_BYTES)
  }
}

const readings = new WeakMap<JobRuntime, Reading>()

/** Whether a file is packed as a whole, so that ranges of it cannot be read. */
export async function isPacked(archive: Bytes): Promise<boolean> {
  const [first, second, method] = await archive.read(0, 3)
  return first === 0x1f && second === 0x8b && method === 8
}

/** Unpacks an archive into R2, part by part, until the time is over. */
export async function unpackArchive(
  runtime: JobRuntime,
  imported: RealmImport,
  from: UnpackingProgress,
  time: TimeLimit,
): Promise<ImportProgress> {
  const { id, size } = imported
  let reading = readings.get(runtime)
  let progress = from
  if (reading?.importId !== id || reading.parts !== from.read) {
    if (from.readings === MAX_READINGS) {
      throw new ImportRefusedError(
        'Unpacking was interrupted too often. Unpack the archive with "gunzip", and import what it becomes.',
      )
    }
    reading = new Reading(id, archiveOf(runtime, imported))
    progress = { ...from, read: 0, readings: from.readings + 1 }
  }
  readings.delete(runtime)
  let stored = progress.bytes
  do {
    const part = await partOf(reading, () => runtime.pause(PAUSES.commit))
    const isNew = reading.parts > from.parts
    if (isNew && part.length > 0)
      await runtime.uploads.put(unpackedKey(runtime, imported, reading.parts), part)
    if (isNew) stored += part.length
    refuseBomb(stored, size)
    if (stored > MAX_BYTES)
      throw new ImportRefusedError(`The archive unpacks to more than ${MAX_BYTES} bytes`)
    if (part.length < UNPACKED_BYTES) {
      return commitProgress(runtime, imported, from, { stage: 'recognise' }, () =>
        writeUnpackedSize(runtime.sql, id, stored),
      )
    }
    progress = {
      ...progress,
      read: reading.parts,
      parts: Math.max(reading.parts, from.parts),
      bytes: stored,
    }
  } while (!time.isOver)
  const next = commitProgress(runtime, imported, from, progress, () => {})
  readings.set(runtime, reading)
  return next
}

async function partOf(reading: Reading, pause: () => Promise<void>): Promise<Uint8Array> {
  try {
    return await reading.next(pause)
  } catch (error) {
    if (!(error instanceof DamagedDataError)) throw error
    throw new ImportRefusedError('The archive is damaged, or ends too early. Load the export again.')
  }
}

/** Writes in one commit with the progress of an import. @throws ImportMovedError when another run is further */
export function commitProgress(
  { sql, storage }: Pick<JobRuntime, 'sql' | 'storage'>,
  { id }: RealmImport,
  from: ImportProgress,
  progress: ImportProgress,
  write: () => void,
): ImportProgress {
  storage.transactionSync(() => {
    requireAdvance(sql, id, from, progress)
    write()
  })
  return progress
}
