import type { Command } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import type { UploadedImage } from './attachment-rows.ts'
import { removePieces } from './forget-resumable-upload.ts'
import { reserveUpload } from './reserve-upload.ts'
import {
  requireOffset,
  requireOwnUpload,
  requireSpace,
  type Transfer,
  transferOf,
} from './resumable-upload.ts'
import { completeResumableUpload, insertPiece, type UploadPiece } from './resumable-upload-rows.ts'
import { addressOf, type UploadAddress } from './upload-address.ts'
import { enterAttachment } from './upload-file.ts'
import { readUploadMetadata } from './upload-metadata.ts'
import { tooManyBytes } from './upload-refusals.ts'

export interface AppendParams {
  readonly upload: string
  readonly upload_offset: number
  /** Unknown where the bytes come in chunks. */
  readonly content_length?: number
}

/**
 * A chunk of a file is to come. Nothing is held for it: of two that come at once, the one whose piece is kept
 * first goes on. Source: tus 1.0.0, PATCH.
 */
export const appendToResumableUpload: Command<Caller, AppendParams, void, Transfer> = {
  apply(tx, caller, { upload: id, upload_offset, content_length = 0 }) {
    const upload = requireOwnUpload(tx, caller, id)
    requireOffset(upload, upload_offset)
    if (upload.received + content_length > upload.length) throw tooManyBytes()
    return transferOf(tx, upload, true, caller.source.fileId)
  },
}

export interface StoredPiece extends UploadPiece {
  readonly upload: string
  /** How many bytes were kept before: the piece begins there, or before if it replaces a small one. */
  readonly from: number
  /** Another one follows. */
  readonly goesOn: boolean
}

/**
 * A piece is in the store: from now on it is acknowledged. Where it is counts as refuse still, but not before
 * the upload has expired: the directory was reserved after the upload. Answers where the next goes.
 */
export const keepUploadPiece: Command<Caller, StoredPiece, void, { readonly directory: string | null }> = {
  apply(tx, caller, { upload: id, from, goesOn, start, size, directory }) {
    const upload = requireOwnUpload(tx, caller, id)
    requireOffset(upload, from)
    requireSpace(tx, caller.source, start + size - from)
    removePieces(tx, id, start)
    insertPiece(tx.sql, id, { start, size, directory })
    return { directory: goesOn ? reserveUpload(tx) : null }
  },
}

export interface StoredWhole {
  readonly upload: string
  /** How many bytes were kept before. */
  readonly from: number
  /** The directory that has the whole file. */
  readonly directory: string
  /** The facts of a picture. */
  readonly image?: UploadedImage | undefined
}

/**
 * The whole file is in the store: it becomes an upload like any other, in the same moment in which its last byte
 * is acknowledged. That it is complete is remembered as long as it would have had time.
 */
export const completeUpload: Command<Caller, StoredWhole, void, UploadAddress> = {
  apply(tx, caller, { upload: id, from, directory, image }) {
    const upload = requireOwnUpload(tx, caller, id)
    requireOffset(upload, from)
    requireSpace(tx, caller.source, upload.length - from)
    const said = readUploadMetadata(upload.metadata)
    const attachment = enterAttachment(tx, caller, {
      directory,
      name: said.get('filename') ?? '',
      contentType: said.get('filetype') ?? '',
      size: upload.length,
      image,
    })
    removePieces(tx, id)
    completeResumableUpload(tx.sql, id, attachment.id)
    return addressOf(attachment)
  },
}
