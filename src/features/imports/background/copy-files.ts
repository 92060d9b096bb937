import { Buffer } from 'node:buffer'
import {
  MAX_PICTURE_MIB,
  type PictureStore,
  storeAvatar,
  storeEmoji,
  storeRealmPicture,
} from '../../../api/in-worker/store-image.ts'
import { BadImageError, BadRequestError } from '../../../core/errors.ts'
import { storeIn } from '../../../core/file-store.ts'
import { type ArrivingMemory, type FileStore, FileTooLargeError, MIB } from '../../../core/files.ts'
import { FileHead } from '../../../core/growing-bytes.ts'
import type { ImageResizer } from '../../../core/images.ts'
import type { JobRuntime } from '../../../core/job-runtime.ts'
import { fromJson, type JsonText } from '../../../core/json.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { TimeLimit } from '../../../core/within-time.ts'
import { readImageFacts } from '../../../images/read-image-facts.ts'
import { cropSquare, fitInside } from '../../../images/resize-image.ts'
import { blocksOf, type ImportArchive, type ImportReader } from '../../../imports/import-reader.ts'
import { readerNamed } from '../../../imports/index.ts'
import type { RecordOf } from '../../../imports/neutral.ts'
import { ZipEntryError } from '../../../imports/zip.ts'
import { reserveImage } from '../../../model/images/reserve-image.ts'
import type { ImportWork } from '../../../model/imports/import-work.ts'
import {
  type CopiedFile,
  importFile,
  importPicture,
  noteMissing,
  type PictureUse,
  pictureUsesOf,
  type StoredPicture,
} from '../../../model/imports/write-file.ts'
import { uploadSpaceTaken } from '../../../model/uploads/attachments.ts'
import { reserveUpload } from '../../../model/uploads/resumable-upload.ts'
import {
  CallTimeoutError,
  ForbiddenTargetError,
  followRedirects,
  openCall,
} from '../../../outgoing/call-out.ts'
import { listPieces } from '../../../store/imports/import-piece-rows.ts'
import type { Placed } from '../../../store/imports/import-report.ts'
import type { CopyingFilesProgress, ImportProgress, RealmImport } from '../../../store/imports/import-rows.ts'
import { findImported } from '../../../store/imports/imported-rows.ts'
import { uploadDirectory, uploadKey } from '../../../store/uploads/upload-keys.ts'
import { archiveOf, readRange } from './stored-archive.ts'
import { writeStep } from './write-import.ts'

/** Files copied at a time, each with one part in memory (core/file-store.ts): most of them wait for another server. */
const FILES_AT_ONCE = 3
/** Bytes of the archive that are read at a time for a file. */
const BLOCK_BYTES = 2 * MIB
/** Runs that may die while they copy the same files, before these are given up. */
const TRIES_OF_FILES = 4

type FileRecord = Placed<RecordOf<'file'>>

/** A file before it is copied. `fileIds`: its ids in the store: one for each use of a picture. */
interface Copying {
  readonly record: FileRecord
  readonly uses: readonly PictureUse[]
  readonly fileIds: readonly string[]
}

/** The result of copying a file: what is entered, or the reason why nothing is. */
type Outcome =
  | { readonly file: CopiedFile }
  | { readonly pictures: readonly StoredPicture[] }
  | { readonly problem: string }

/** Memory that other requests do not share. */
const OWN_MEMORY: ArrivingMemory = {
  bytes: 0,
  hold: async () => {},
  holdAtOnce: async () => true,
  renew() {},
  arrived() {},
  release() {},
}

/** Pictures are decoded here, one after another, unless they are too large. */
const PICTURES: ImageResizer = {
  fitInside: (bytes, bounds) => fitInside(bytes, bounds),
  cropSquare: (bytes, size) => cropSquare(bytes, size),
}

/**
 * Copies files into the store until the time is over, and enters each batch by one commit with the progress. Files stored
 * by a run that died are removed after a day, like uploads that broke off.
 */
export async function copyFiles(
  runtime: JobRuntime,
  imported: RealmImport,
  from: CopyingFilesProgress,
  time: TimeLimit,
): Promise<ImportProgress> {
  let progress = from
  let { tries } = imported
  for (const piece of listPieces(runtime.sql, imported.id, 'file').slice(from.piece)) {
    const text = new TextDecoder().decode(await readRange(runtime, piece.key, 0, piece.size))
    const lines = text.split('\n').slice(0, -1) as JsonText<FileRecord>[]
    while (progress.line < lines.length) {
      const next = lines.slice(progress.line, progress.line + FILES_AT_ONCE)
      const copying = prepare(
        runtime,
        imported,
        next.map((line) => fromJson(line)),
      )
      const outcomes = await new FileCopier(runtime, imported, tries >= TRIES_OF_FILES).copyAll(copying)
      tries = 0
      const after = { ...progress, line: progress.line + next.length }
      progress = await writeStep(runtime, imported, progress, after, (tx, work) => {
        for (const [at, outcome] of outcomes.entries())
          enter(tx, work, copying[at]!, outcome, runtime.fileLimits())
      })
      await runtime.pause()
      if (time.isOver) return progress
    }
    progress = await writeStep(
      runtime,
      imported,
      progress,
      { ...progress, piece: progress.piece + 1, line: 0 },
      () => {},
    )
  }
  return writeStep(runtime, imported, progress, { stage: 'messages', offsets: [], messages: 0 }, () => {})
}

/** Reserves places in the store for files that are not here yet, except pictures that nothing uses. */
function prepare(
  runtime: JobRuntime,
  { id, sourceId }: RealmImport,
  records: readonly FileRecord[],
): Copying[] {
  const seen = new Set<string>()
  return runtime.change((tx) =>
    records.flatMap((record) => {
      const uses = pictureUsesOf(tx.sql, id, record.id)
      const isHere = findImported(tx.sql, sourceId!, 'file', record.id) !== undefined
      if (isHere || seen.has(record.id) || uses?.length === 0) return []
      seen.add(record.id)
      const fileIds = uses ? uses.map(() => tx.randomHex(16)) : [tx.randomHex(16)]
      for (const fileId of fileIds) {
        if (uses) reserveImage(tx, fileId)
        else reserveUpload(tx, fileId)
      }
      return [{ record, uses: uses ?? [], fileIds }]
    }),
  )
}

function enter(
  tx: RealmTransaction,
  work: ImportWork,
  { record }: Copying,
  outcome: Outcome,
  limits: ReturnType<JobRuntime['fileLimits']>,
): void {
  work.tally.isAt(record)
  if ('problem' in outcome) noteMissing(tx, work, record, outcome.problem)
  else if ('file' in outcome) importFile(tx, work, record, outcome.file, limits)
  else for (const picture of outcome.pictures) importPicture(tx, work, picture)
}

/** Copies files of an archive into the store. */
class FileCopier {
  readonly #runtime: JobRuntime
  readonly #archive: ImportArchive
  readonly #reader: ImportReader
  readonly #store: FileStore
  readonly #givesUp: boolean

  constructor(runtime: JobRuntime, imported: RealmImport, givesUp: boolean) {
    this.#runtime = runtime
    this.#archive = archiveOf(runtime, imported)
    this.#reader = readerNamed(imported.format!)
    this.#store = storeIn(runtime.uploads, () => OWN_MEMORY)
    this.#givesUp = givesUp
  }

  async copyAll(copying: readonly Copying[]): Promise<Outcome[]> {
    const outcomes = new Map<Copying, Outcome>()
    // Pictures come one after another, since decoding takes much memory.
    await Promise.all(
      copying
        .filter(({ uses }) => uses.length === 0)
        .map(async (one) => void outcomes.set(one, await this.#copy(one))),
    )
    for (const one of copying) if (one.uses.length > 0) outcomes.set(one, await this.#copy(one))
    return copying.map((one) => outcomes.get(one)!)
  }

  async #copy(copying: Copying): Promise<Outcome> {
    try {
      if (this.#givesUp) throw new NoFileError('the import has stopped at it too often')
      return copying.uses.length === 0 ? await this.#copyFile(copying) : await this.#copyPictures(copying)
    } catch (error) {
      if (error instanceof NoFileError) return { problem: error.message }
      if (error instanceof FileTooLargeError)
        return { problem: 'it is too large, or there is no room for it' }
      if (error instanceof ZipEntryError) return { problem: `the entry ${error.message}` }
      if (error instanceof BadRequestError || error instanceof BadImageError)
        return { problem: error.message }
      throw error
    }
  }

  async #copyFile({ record, fileIds }: Copying): Promise<Outcome> {
    const directory = uploadDirectory(this.#runtime.realm.id, fileIds[0]!)
    const head = new FileHead()
    const limit = this.#limit
    const size = await this.#store.keep(uploadKey(directory), head.of(this.#bytesOf(record, limit)), limit)
    return { file: { directory, size, image: readImageFacts(head.bytes) } }
  }

  async #copyPictures({ record, uses, fileIds }: Copying): Promise<Outcome> {
    const limit = Math.min(this.#limit, MAX_PICTURE_MIB * MIB)
    const bytes: Uint8Array[] = []
    let size = 0
    for await (const chunk of this.#bytesOf(record, limit)) {
      size += chunk.length
      if (size > limit) throw new FileTooLargeError()
      bytes.push(new Uint8Array(chunk))
    }
    const pictures: StoredPicture[] = []
    for (const [at, use] of uses.entries()) {
      pictures.push({ use, ...(await this.#storePicture(use, record, bytes, fileIds[at]!)) })
    }
    return { pictures }
  }

  async #storePicture(
    use: PictureUse,
    { name }: FileRecord,
    bytes: readonly Uint8Array[],
    fileId: string,
  ): Promise<Omit<StoredPicture, 'use'>> {
    const at: PictureStore = { realmId: this.#runtime.realm.id, fileId, store: this.#store, images: PICTURES }
    const file = { name, contentType: '', content: chunksOf(bytes) }
    switch (use.kind) {
      case 'avatar':
        return { path: await storeAvatar(file, at), stillPath: null }
      case 'icon':
      case 'logo':
      case 'night_logo':
        return {
          path: await storeRealmPicture(use.kind === 'icon' ? 'icon' : 'logo', file, at),
          stillPath: null,
        }
      case 'emoji':
        return storeEmoji(file, at)
    }
  }

  /** Bytes that a file may have: the limit of uploads, and the room that is left. */
  get #limit(): number {
    const { maxFileUploadMib, uploadQuotaMib } = this.#runtime.fileLimits()
    const room =
      uploadQuotaMib === null
        ? Number.POSITIVE_INFINITY
        : uploadQuotaMib * MIB - uploadSpaceTaken(this.#runtime.sql)
    return Math.max(Math.min(maxFileUploadMib * MIB, room), 0)
  }

  /** @throws NoFileError */
  async *#bytesOf(
    { name, path, url, data, content_type = '' }: FileRecord,
    limit: number,
  ): AsyncGenerator<Uint8Array> {
    if (data !== undefined) {
      // Four characters encode three bytes, of which the last two may be missing.
      if ((data.length / 4) * 3 - 2 > limit) throw new FileTooLargeError()
      yield Buffer.from(data, 'base64')
    } else if (path !== undefined) yield* this.#entryAt(path, limit)
    else if (url !== undefined) {
      const isPage = /html/i.test(content_type) || /\.x?html?$/i.test(name)
      yield* fetchFile(url, { maxBytes: limit, isPage })
    } else throw new NoFileError('the archive does not say where it is')
  }

  async *#entryAt(path: string, limit: number): AsyncGenerator<Uint8Array> {
    const entry = await this.#reader.file?.(this.#archive, path)
    if (!entry) throw new NoFileError('it is not in the archive')
    if (entry.size > limit) throw new FileTooLargeError()
    yield* blocksOf(entry, BLOCK_BYTES)
  }
}

async function* chunksOf(bytes: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* bytes
}

/** Milliseconds until a file begins, with all redirects, and for all of it. */
const BEGINS_WITHIN_MS = 10_000
const WHOLE_WITHIN_MS = 120_000

/**
 * Fetches a file from an encrypted address in the public network. A page in place of another file is how services report
 * an expired address.
 * @throws NoFileError at once, or while the file is read
 */
async function* fetchFile(
  address: string,
  { maxBytes, isPage }: { readonly maxBytes: number; readonly isPage: boolean },
): AsyncGenerator<Uint8Array> {
  try {
    const found = await followRedirects(address, BEGINS_WITHIN_MS, (url, timeoutMs) => {
      if (!url.startsWith('https:')) throw new ForbiddenTargetError('The address is not encrypted')
      return openCall({
        url,
        named: { by: 'user', allowedHosts: [] },
        init: { headers: { 'User-Agent': 'ParleyImport/1.0' } },
        timeoutMs,
        bodyTimeoutMs: WHOLE_WITHIN_MS,
        // With one more byte the caller sees that the file is too large.
        maxBytes: maxBytes + 1,
        needsBody: ({ ok, headers }) =>
          ok && (isPage || !/^text\/html\b/i.test(headers.get('Content-Type') ?? '')),
      })
    })
    if (!found) throw new NoFileError('its address leads nowhere')
    const { response, chunks } = found.answer
    if (!response.ok) throw new NoFileError(`the server answers ${response.status}`)
    if (!chunks) throw new NoFileError('the server answers with something else')
    yield* chunks
  } catch (error) {
    throw error instanceof NoFileError ? error : new NoFileError(reasonOf(error))
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof CallTimeoutError) return 'it does not come in time'
  if (error instanceof ForbiddenTargetError)
    return 'its address is not an encrypted one of the public network'
  return 'it cannot be fetched'
}

/** Thrown for a file that cannot be copied. The message follows the file's name. */
class NoFileError extends Error {}
