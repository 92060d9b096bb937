import { deploymentOf, type RequestSource } from '../../core/call.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError, UploadQuotaError } from '../../core/errors.ts'
import { MIB } from '../../core/files.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import type { Caller } from '../caller.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { announceAttachment } from './announce-attachment.ts'
import { type Attachment, insertAttachment, type UploadedImage } from './attachment-rows.ts'
import { contentTypeOf } from './content-type.ts'
import { cancelRemoval, scheduleRemoval } from './removal-rows.ts'
import { noteUnclaimed } from './unclaimed-rows.ts'
import { addressName, shownName } from './upload-name.ts'
import { changeUploadSpaceUsed, uploadSpaceTaken } from './upload-space.ts'

/** The seconds that the transfer of a file may take before what came of it is removed. */
const TRANSFER_SECONDS = DAY

/** A key that is reserved for a file. */
export interface ReservedUpload {
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
 * Begins an upload by reserving a key for the file. Until the file is entered, whatever is stored there is an orphan.
 * Source: docs/interface/uploads.md#upload-a-file.
 */
export const uploadFile: Command<Caller, object, void, ReservedUpload> = {
  apply(tx, { source }) {
    return {
      directory: reserveUpload(tx, source.place),
      spaceLeft: spaceLeft(tx, source),
    }
  },
}

/** Where an upload is whose place has this name. */
export function uploadDirectory(realmId: number, place: string): string {
  return `${realmId}/${place.slice(0, 2)}/${place}`
}

/** Reserves a directory for bytes that are on their way. Its content is removed after a day, unless that is cancelled. */
export function reserveUpload(tx: RealmTransaction, place = tx.randomHex(16)): string {
  const directory = uploadDirectory(tx.realm.id, place)
  scheduleRemoval(tx, uploadKey(directory), tx.now + TRANSFER_SECONDS)
  return directory
}

/** A file that has been stored under the key reserved for it. */
export interface StoredUpload {
  readonly directory: string
  readonly name: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  /** For a picture. */
  readonly image?: UploadedImage | undefined
}

/** The address of an upload, as the answer names it. */
export interface UploadAddress {
  readonly url: string
  /** The same, under its older name. */
  readonly uri: string
  readonly filename: string
}

/**
 * The upload is complete.
 * @throws UploadQuotaError
 */
export const enterUpload: Command<Caller, StoredUpload, void, UploadAddress> = {
  apply(tx, caller, stored) {
    const left = spaceLeft(tx, caller.source)
    if (left !== null && stored.size > left) throw new UploadQuotaError()
    return addressOf(enterAttachment(tx, caller, stored))
  },
}

/**
 * Enters a stored file as its owner's, and nobody else's until a message links to it. The caller has made sure that there is
 * room for it.
 */
export function enterAttachment(
  tx: RealmTransaction,
  caller: Caller,
  { directory, name, contentType, size, image }: StoredUpload,
): Attachment {
  if (!cancelRemoval(tx.sql, uploadKey(directory))) {
    throw new BadRequestError('You must specify a file to upload')
  }
  const entered = {
    path: `${directory}/${addressName(name)}`,
    ownerId: caller.user.id,
    name: shownName(name),
    contentType: contentTypeOf(contentType, name),
    size,
    createdAt: Math.floor(tx.now * 1_000),
    image: image ?? null,
  }
  const attachment = withinQuota(tx, caller, 'files', () => insertAttachment(tx.sql, entered))
  noteUnclaimed(tx, attachment.id)
  changeUploadSpaceUsed(tx.sql, size)
  announceAttachment(tx, 'add', attachment)
  return attachment
}

export function addressOf({ path, name }: Attachment): UploadAddress {
  const url = `/user_uploads/${path}`
  return { url, uri: url, filename: name }
}

/** The bytes that are left of the quota; null: no quota. */
function spaceLeft({ sql }: Pick<RealmReads, 'sql'>, source: RequestSource): number | null {
  const { uploadQuotaMib } = deploymentOf(source)
  return uploadQuotaMib === null ? null : Math.max(uploadQuotaMib * MIB - uploadSpaceTaken(sql), 0)
}
