import { deploymentOf } from '../../core/call.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError, UploadQuotaError } from '../../core/errors.ts'
import { MIB } from '../../core/files.ts'
import { DAY } from '../../core/time.ts'
import type { Caller } from '../caller.ts'
import { announceAttachment } from './announce-attachment.ts'
import { insertAttachment, type UploadedImage } from './attachment-rows.ts'
import { contentTypeOf } from './content-type.ts'
import { callOffRemoval, scheduleRemoval } from './removal-rows.ts'
import { addressName, shownName } from './upload-name.ts'
import { changeUploadSpaceUsed, uploadSpaceUsed } from './upload-space.ts'

/** How long the transfer of a file may take before what came of it is removed. */
const TRANSFER_SECONDS = DAY

/** Where a file is to be put. */
export interface UploadPlace {
  /** The first parts of its path: `2/ab/0123…`. Nobody can guess it. */
  readonly directory: string
  /** What may still be stored of the organization's quota, in bytes; null: no quota. */
  readonly spaceLeft: number | null
}

/** The key of an upload in R2. Its name is no part of it: it is not known before the file comes. */
export function uploadKey(pathOrDirectory: string): string {
  return `user_uploads/${pathOrDirectory.split('/').slice(0, 3).join('/')}`
}

/**
 * An upload begins: a place is made for the file. Until it is entered, what is there counts as refuse.
 * Source: core-endpoints 22.
 */
export const uploadFile: Command<Caller, object, void, UploadPlace> = {
  apply(tx, { source }) {
    const directory = `${tx.realm.id}/${tx.randomHex(1)}/${tx.randomHex(16)}`
    scheduleRemoval(tx, uploadKey(directory), tx.now + TRANSFER_SECONDS)
    return { directory, spaceLeft: spaceLeft(deploymentOf(source).uploadQuotaMib, uploadSpaceUsed(tx.sql)) }
  },
}

/** A file that has been stored at its place. */
export interface StoredUpload {
  readonly directory: string
  readonly name: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  /** For a picture. */
  readonly image?: UploadedImage | undefined
}

/** The upload is complete: it is its owner's, and nobody else's until a message links to it. */
export const enterUpload: Command<Caller, StoredUpload, void, object> = {
  apply(tx, { user, source }, { directory, name, contentType, size, image }) {
    const left = spaceLeft(deploymentOf(source).uploadQuotaMib, uploadSpaceUsed(tx.sql))
    if (left !== null && size > left) throw new UploadQuotaError()
    if (!callOffRemoval(tx.sql, uploadKey(directory))) {
      throw new BadRequestError('You must specify a file to upload')
    }
    const attachment = insertAttachment(tx.sql, {
      path: `${directory}/${addressName(name)}`,
      ownerId: user.id,
      name: shownName(name),
      contentType: contentTypeOf(contentType, name),
      size,
      createdAt: Math.floor(tx.now * 1_000),
      image: image ?? null,
    })
    changeUploadSpaceUsed(tx.sql, size)
    announceAttachment(tx, 'add', attachment)
    const url = `/user_uploads/${attachment.path}`
    return { url, uri: url, filename: attachment.name }
  },
}

function spaceLeft(quotaMib: number | null, used: number): number | null {
  return quotaMib === null ? null : Math.max(quotaMib * MIB - used, 0)
}
