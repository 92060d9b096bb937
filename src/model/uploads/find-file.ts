import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { ApiError, NotFoundError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { MINUTE } from '../../core/time.ts'
import { ownSecret } from '../../store/meta-rows.ts'
import {
  type Attachment,
  findAttachment,
  findAttachmentAt,
  type UploadedImage,
} from '../../store/uploads/attachment-rows.ts'
import { uploadKey } from '../../store/uploads/upload-keys.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { actorOf, type Caller } from '../caller.ts'
import { mayReadAttachment } from '../messages/read/attachment-access.ts'

/** The facts about a stored file for an answer with its bytes. */
export interface StoredFile {
  readonly key: string
  readonly name: string
  readonly contentType: string
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

/** Finds a file that the caller may read. Source: docs/interface/uploads.md#read-a-file. */
export function findFile(tx: RealmTransaction, caller: Caller, { path }: UploadPath): StoredFile {
  return storedFile(requireReadableFile(tx, caller, path))
}

/** Finds the file of a temporary address, which needs no account, while the account that asked for it may read the file. */
export function findTemporaryFile(
  tx: RealmTransaction,
  _anybody: unknown,
  { token }: { readonly token: string },
): StoredFile {
  const claim = readTemporaryToken(tx, token)
  const maker = claim && findUser(tx.sql, claim.makerId)
  if (!claim || !maker?.isActive) throw notYours()
  const attachment = findAttachment(tx.sql, claim.attachmentId)
  if (!attachment) throw new NotFoundError(NO_FILE)
  const viewer = { user: maker, actor: actorOf(tx.sql, maker, tx.now) }
  if (!mayReadAttachment(tx, viewer, attachment)) throw notYours()
  return storedFile(attachment)
}

export interface GetFileUrlParams {
  readonly realm_id_str: number
  /** The path, with its slashes escaped or not. */
  readonly filename: string
}

/** Returns an address that opens the file for a minute without credentials. Source: docs/interface/uploads.md#read-a-file. */
export function getFileTemporaryUrl(
  tx: RealmTransaction,
  caller: Caller,
  { realm_id_str, filename }: GetFileUrlParams,
): { readonly url: string } {
  const attachment = requireReadableFile(tx, caller, `${realm_id_str}/${filename}`)
  const name = encodeURIComponent(attachment.path.split('/').at(-1)!)
  return { url: `/user_uploads/temporary/${signTemporaryToken(tx, attachment.id, caller.user.id)}/${name}` }
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

/** Seconds for which a temporary address works (docs/interface/uploads.md#read-a-file). */
const VALID_SECONDS = MINUTE

const TOKEN = /^((\d{1,15})-(\d{1,15})-(\d{1,15}))-([0-9a-f]{64})$/

/** Makes a token that opens an upload without credentials for a minute: its id, the asking account's, the end of the minute, and a signature. */
function signTemporaryToken(tx: RealmTransaction, attachmentId: number, makerId: number): string {
  const claim = `${attachmentId}-${makerId}-${Math.floor(tx.now) + VALID_SECONDS}`
  return `${claim}-${signature(ownSecret(tx, 'upload_secret'), claim)}`
}

interface TemporaryClaim {
  readonly attachmentId: number
  readonly makerId: number
}

/** Returns what a token opens; undefined for an expired token, or one with another signature. */
function readTemporaryToken(tx: RealmTransaction, token: string): TemporaryClaim | undefined {
  const [, claim, attachmentId, makerId, until, signed] = TOKEN.exec(token) ?? []
  if (claim === undefined || signed === undefined) return undefined
  const expected = signature(ownSecret(tx, 'upload_secret'), claim)
  if (!timingSafeEqual(Buffer.from(signed), Buffer.from(expected))) return undefined
  if (tx.now >= Number(until)) return undefined
  return { attachmentId: Number(attachmentId), makerId: Number(makerId) }
}

function signature(secret: string, claim: string): string {
  return createHmac('sha256', secret).update(claim).digest('hex')
}
