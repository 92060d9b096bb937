import type { Command } from '../../core/command.ts'
import { ApiError, NotFoundError } from '../../core/errors.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../caller.ts'
import { mayReadAttachment } from './attachment-access.ts'
import { type Attachment, findAttachment, findAttachmentAt, type UploadedImage } from './attachment-rows.ts'
import { readTemporaryToken, signTemporaryToken } from './temporary-links.ts'
import { uploadKey } from './upload-key.ts'

/** A file of the store, ready to be sent. */
export interface StoredFile {
  readonly key: string
  readonly name: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  /** Facts of a picture. */
  readonly image?: UploadedImage | null
}

const NO_FILE = 'This file does not exist or has been deleted.'
const NOT_YOURS = 'You are not authorized to view this file.'

/** The part of an address after /user_uploads/. */
export interface UploadPath {
  readonly path: string
}

/**
 * Finds the file at an address, for somebody who may read it. Source: docs/interface/uploads.md#read-a-file.
 */
export const findFile: Command<Caller, UploadPath, void, StoredFile> = {
  apply(tx, caller, { path }) {
    return storedFile(requireReadableFile(tx, caller, path))
  },
}

/** Finds the file of a temporary address, for anybody. */
export const findTemporaryFile: Command<unknown, { readonly token: string }, void, StoredFile> = {
  apply(tx, _anybody, { token }) {
    const id = readTemporaryToken(tx, token)
    if (id === undefined) throw notYours()
    const attachment = findAttachment(tx.sql, id)
    if (!attachment) throw new NotFoundError(NO_FILE)
    return storedFile(attachment)
  },
}

/** The path of an upload, as an endpoint has it. */
export interface GetFileUrlParams {
  readonly realm_id_str: number
  /** The path, with its slashes escaped or not. */
  readonly filename: string
}

/**
 * Returns an address at which the file can be read for a minute without credentials. Source:
 * docs/interface/uploads.md#read-a-file.
 */
export const getFileTemporaryUrl: Command<Caller, GetFileUrlParams, void, { readonly url: string }> = {
  apply(tx, caller, { realm_id_str, filename }) {
    const attachment = requireReadableFile(tx, caller, `${realm_id_str}/${filename}`)
    const name = encodeURIComponent(attachment.path.split('/').at(-1)!)
    return { url: `/user_uploads/temporary/${signTemporaryToken(tx, attachment.id)}/${name}` }
  },
}

function requireReadableFile(tx: RealmReads, caller: Caller, path: string): Attachment {
  const attachment = findAttachmentAt(tx.sql, path)
  if (!attachment) throw new NotFoundError(NO_FILE)
  if (!mayReadAttachment(tx, caller, attachment)) throw notYours()
  return attachment
}

export function notYours(): ApiError {
  return new ApiError('BAD_REQUEST', NOT_YOURS, {}, 403)
}

export function storedFile({ path, name, contentType, size, image }: Attachment): StoredFile {
  return { key: uploadKey(path), name, contentType, size, image }
}
