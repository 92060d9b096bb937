import { Buffer } from 'node:buffer'
import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { isLongerThan } from '../../core/text-length.ts'
import type { Caller } from '../../model/caller.ts'
import { requireOtherWayIn } from '../../model/login-providers/login-methods.ts'
import {
  noteNewFactor,
  noteRemovedFactor,
  requireNotLastFactor,
} from '../../model/second-factors/change-second-factors.ts'
import type {
  MadePasskey,
  NamedCredential,
  PasskeyRequest,
} from '../../model/second-factors/passkey-facts.ts'
import type { RecoveryCodes } from '../../model/second-factors/totp.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import {
  deletePasskey,
  findPasskey,
  insertPasskey,
  listPasskeys,
  renamePasskey as renameRow,
} from '../../store/second-factors/passkey-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { newChallenge, requireChallenge } from './challenge.ts'

/** Number of passkeys of an account. */
const MAX_PASSKEYS = 20
const MAX_NAME_LENGTH = 60

/** Begins to add a passkey: gives the challenge that it has to answer. Parley's own. */
export const beginPasskey: Command<Caller, unknown, void, PasskeyRequest> = {
  apply(tx, { user }) {
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
}

export interface AddPasskeyParams {
  readonly name: string
  /** Undefined before the Worker has checked the answer. */
  readonly made?: MadePasskey
}

/** Adds a passkey that has answered the challenge. Parley's own. */
export const addPasskey: Command<Caller, AddPasskeyParams, void, RecoveryCodes & { readonly id: number }> = {
  apply(tx, caller, { name, made }) {
    const { user } = caller
    requireRoomForPasskey(tx, user)
    const called = requirePasskeyName(name)
    // The rehearsal, before the answer is checked.
    if (!made) return { id: 0, recovery_codes: [] }
    const { challenge, ...passkey } = made
    requireChallenge(tx, challenge, 'add', user.id)
    if (findPasskey(tx.sql, passkey.credentialId))
      throw new BadRequestError('This passkey was added already.')
    const id = insertPasskey(tx.sql, { ...passkey, userId: user.id, name: called }, tx.now)
    return { id, recovery_codes: noteNewFactor(tx, caller) }
  },
}

/** Renames one of the caller's passkeys. Parley's own. */
export const renamePasskey: Command<
  Caller,
  { readonly passkey_id: number; readonly name: string },
  void,
  object
> = {
  apply(tx, { user }, { passkey_id, name }) {
    if (!renameRow(tx.sql, user.id, passkey_id, requirePasskeyName(name))) throw noSuchPasskey()
    return {}
  },
}

/** Removes one of the caller's passkeys. Parley's own. */
export const removePasskey: Command<Caller, { readonly passkey_id: number }, void, object> = {
  apply(tx, caller, { passkey_id }) {
    if (!listPasskeys(tx.sql, caller.user.id).some(({ id }) => id === passkey_id)) throw noSuchPasskey()
    requireNotLastFactor(tx.sql, caller)
    requireOtherWayIn(tx.sql, caller.user.id, { passkeyId: passkey_id })
    deletePasskey(tx.sql, caller.user.id, passkey_id)
    noteRemovedFactor(tx, caller)
    return {}
  },
}

/** Returns the account's passkeys as browsers name them. */
export function namedCredentials({ sql }: RealmReads, userId: number): NamedCredential[] {
  return listPasskeys(sql, userId).map(({ credentialId, transports }) => ({ id: credentialId, transports }))
}

/** The name by which passkeys know an account (`user.id`), in base64url: no address, since anybody at the device may see it. */
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
