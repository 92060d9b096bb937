import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { integer, pathInteger, textUpTo } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { secretText } from '../../core/secret-text.ts'
import { isLongerThan } from '../../core/text-length.ts'
import { MINUTE } from '../../core/time.ts'
import type { Caller } from '../../model/caller.ts'
import { requireOtherLoginMethod } from '../../model/login-providers/login-methods.ts'
import {
  noteNewFactor,
  noteRemovedFactor,
  requireNotLastFactor,
} from '../../model/second-factors/change-second-factors.ts'
import {
  checkNewPasskey,
  creationOptions,
  type MadePasskey,
  type NamedCredential,
  type PasskeyRequest,
} from '../../model/second-factors/in-worker/passkey-answers.ts'
import { ownSecret } from '../../store/meta-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import {
  deletePasskey,
  findPasskey,
  insertPasskey,
  listPasskeys,
  renamePasskey as renameRow,
  spendChallenge,
} from '../../store/second-factors/second-factor-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { credentialDescriptor, newCredential } from './credentials.ts'

/** Begins to add a passkey: answers WebAuthn's options for the browser. Parley's own. */
export const beginPasskeyEndpoint = defineEndpoint({
  operation: 'begin-passkey',
  route: 'POST /second_factors/passkeys/options',
  access: 'human',
  needsProof: true,
  returns: v.object({
    options: v.object({
      challenge: v.string(),
      rp: v.object({ id: v.string(), name: v.string() }),
      user: v.object({ id: v.string(), name: v.string(), displayName: v.string() }),
      pubKeyCredParams: v.array(v.object({ type: v.literal('public-key'), alg: v.number() })),
      timeout: v.number(),
      attestation: v.literal('none'),
      excludeCredentials: v.array(credentialDescriptor),
      authenticatorSelection: v.object({
        residentKey: v.literal('required'),
        requireResidentKey: v.literal(true),
        userVerification: v.literal('preferred'),
      }),
    }),
  }),
  apply(tx, { user }): PasskeyRequest {
    requireRoomForPasskey(tx, user)
    return {
      challenge: newChallenge(tx, 'add', user.id),
      organization: realmProperty(tx.sql, 'name'),
      handle: handleOf(user.id),
      email: user.deliveryEmail,
      full_name: user.fullName,
      present: namedCredentials(tx, user.id),
    }
  },
  audit: 'own',
  idempotency: 'harmless',
  finish: async (request, _params, { source }) => ({ options: creationOptions(request, source) }),
})

/** Adds a passkey that a browser has created. Parley's own. */
export const addPasskeyEndpoint = defineEndpoint({
  operation: 'add-passkey',
  route: 'POST /second_factors/passkeys',
  access: 'human',
  needsProof: true,
  params: { name: textUpTo(NAME_LENGTH), credential: newCredential },
  returns: v.object({ id: integer, recovery_codes: v.array(secretText()) }),
  apply(tx, caller, { name, made }: AddPasskeyParams) {
    const { user } = caller
    requireRoomForPasskey(tx, user)
    const called = requirePasskeyName(name)
    // The rehearsal, before the answer was checked.
    if (!made) return { id: 0, recovery_codes: [] }
    const { challenge, ...passkey } = made
    requireChallenge(tx, challenge, 'add', user.id)
    if (findPasskey(tx.sql, passkey.credentialId))
      throw new BadRequestError('This passkey was added already.')
    const id = insertPasskey(tx.sql, { ...passkey, userId: user.id, name: called }, tx.now)
    return { id, recovery_codes: noteNewFactor(tx, caller) }
  },
  audit: ({ actorId }) => ({ action: 'second_factor_added', details: { user_id: actorId, kind: 'passkey' } }),
  // A challenge is valid once, so a repetition is refused.
  idempotency: 'harmless',
  async prepare({ name, credential }, { source }) {
    return { name, credential, made: await checkNewPasskey(credential, source) }
  },
})

/** Renames one of the caller's passkeys. Parley's own. */
export const renamePasskeyEndpoint = defineEndpoint({
  operation: 'rename-passkey',
  route: 'PATCH /second_factors/passkeys/:passkey_id',
  access: 'human',
  params: { passkey_id: pathInteger, name: textUpTo(NAME_LENGTH) },
  apply: renamePasskey,
  audit: 'own',
})

/** Removes one of the caller's passkeys. Parley's own. */
export const removePasskeyEndpoint = defineEndpoint({
  operation: 'remove-passkey',
  route: 'DELETE /second_factors/passkeys/:passkey_id',
  access: 'human',
  needsProof: true,
  params: { passkey_id: pathInteger },
  apply(tx, caller, { passkey_id }) {
    if (!listPasskeys(tx.sql, caller.user.id).some(({ id }) => id === passkey_id)) throw noSuchPasskey()
    requireNotLastFactor(tx.sql, caller)
    requireOtherLoginMethod(tx.sql, caller.user.id, `passkey ${passkey_id}`)
    deletePasskey(tx.sql, caller.user.id, passkey_id)
    noteRemovedFactor(tx, caller)
  },
  audit: ({ actorId }) => ({
    action: 'second_factor_removed',
    details: { user_id: actorId, kind: 'passkey' },
  }),
})

/** Passkeys of an account. */
const MAX_PASSKEYS = 20
const MAX_NAME_LENGTH = 60

interface AddPasskeyParams {
  readonly name: string
  /** Undefined before the Worker has checked the answer. */
  readonly made?: MadePasskey
}

/** Renames one of the caller's passkeys. Parley's own. */
function renamePasskey(
  tx: RealmTransaction,
  { user }: Caller,
  { passkey_id, name }: { readonly passkey_id: number; readonly name: string },
): void {
  if (!renameRow(tx.sql, user.id, passkey_id, requirePasskeyName(name))) throw noSuchPasskey()
}

/** Returns an account's passkeys in the form for browsers. */
export function namedCredentials({ sql }: RealmReads, userId: number): NamedCredential[] {
  return listPasskeys(sql, userId).map(({ credentialId, transports }) => ({ id: credentialId, transports }))
}

/**
 * Returns the id by which passkeys know an account (`user.id`), in base64url. It is not the address, since anyone at the device may see it.
 */
export function handleOf(userId: number): string {
  return Buffer.from(String(userId)).toString('base64url')
}

function requireRoomForPasskey({ sql }: RealmReads, { id }: User): void {
  if (listPasskeys(sql, id).length >= MAX_PASSKEYS) {
    throw new BadRequestError(
      `You can have at most ${MAX_PASSKEYS} passkeys. Remove one that you no longer use.`,
    )
  }
}

function requirePasskeyName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '') throw new BadRequestError('Give the passkey a name.')
  if (isLongerThan(trimmed, MAX_NAME_LENGTH)) {
    throw new BadRequestError(`name is too long (limit: ${MAX_NAME_LENGTH} characters)`)
  }
  return trimmed
}

function noSuchPasskey(): BadRequestError {
  return new BadRequestError('No such passkey')
}

/** The purpose of a challenge. An answer is valid for no other. */
export type ChallengePurpose = 'log in' | 'second factor' | 'add' | 'prove'

const GOOD_FOR_SECONDS = 5 * MINUTE
const NONCE_BYTES = 16
const FORM = /^(\d{1,12})\.([0-9a-f]{32})\.([0-9a-f]{64})$/

/**
 * Returns a challenge for a passkey, in base64url. It is signed and not stored, so that strangers cannot fill the storage with thousands.
 * `userId`: whose passkey it must be; null for anyone's.
 */
export function newChallenge(tx: RealmTransaction, purpose: ChallengePurpose, userId: number | null): string {
  const useBefore = Math.floor(tx.now) + GOOD_FOR_SECONDS
  const nonce = tx.randomHex(NONCE_BYTES)
  const signed = signature(tx, { purpose, userId, useBefore, nonce })
  return Buffer.from(`${useBefore}.${nonce}.${signed}`).toString('base64url')
}

/**
 * Uses up a challenge that a passkey has answered.
 * @throws BadRequestError if it is not ours, was for another purpose or user, is too old, or was answered before
 */
export function requireChallenge(
  tx: RealmTransaction,
  challenge: string,
  purpose: ChallengePurpose,
  userId: number | null,
): void {
  const [, until = '', nonce = '', signed = ''] =
    FORM.exec(Buffer.from(challenge, 'base64url').toString()) ?? []
  const useBefore = Number(until)
  const expected = signature(tx, { purpose, userId, useBefore, nonce })
  const isOurs = signed !== '' && timingSafeEqual(Buffer.from(signed), Buffer.from(expected))
  if (!isOurs || useBefore <= tx.now || !spendChallenge(tx.sql, { nonce, useBefore }, tx.now)) {
    throw new BadRequestError('That took too long, or was already done. Try again.')
  }
}

interface Signed {
  readonly purpose: ChallengePurpose
  readonly userId: number | null
  readonly useBefore: number
  readonly nonce: string
}

function signature(tx: RealmTransaction, { purpose, userId, useBefore, nonce }: Signed): string {
  const text = `${purpose}:${userId ?? ''}:${useBefore}:${nonce}`
  return createHmac('sha256', ownSecret(tx, 'challenge_secret')).update(text).digest('hex')
}
