import type { Command } from '../../core/command.ts'
import { ApiError } from '../../core/errors.ts'
import { isRealmDeactivated } from '../realm/realm-setting-rows.ts'
import { readExternalAddress } from './external-address.ts'
import { countFetchedBytes, requireBytesLeft } from './fetched-bytes.ts'

export interface ExternalContentParams {
  readonly digest: string
  readonly hex: string
}

export interface OpenedExternalContent {
  /** The picture's own address, as in a message. */
  readonly address: string
  /** Whether it comes through this server; false: its reader must load it from the other. */
  readonly isProxied: boolean
}

/**
 * Checks an address before the picture of another server is fetched for anybody. Only messages contain such
 * addresses, and nobody can make one up. Source: the public server's pictures of other servers.
 */
export const openExternalContent: Command<unknown, ExternalContentParams, void, OpenedExternalContent> = {
  apply(tx, _anybody, params) {
    const address = isRealmDeactivated(tx.sql) ? undefined : readExternalAddress(tx, params)
    if (address === undefined) throw new ApiError('BAD_REQUEST', 'Not a valid URL.', {}, 403)
    const isProxied = tx.proxiesPictures()
    if (isProxied) requireBytesLeft(tx)
    return { address, isProxied }
  },
}

/** Counts the fetched bytes afterwards, since nobody knows them before. */
export const countExternalContent: Command<unknown, { readonly bytes: number }, void, object> = {
  apply(tx, _anybody, { bytes }) {
    countFetchedBytes(tx, bytes)
    return {}
  },
}
