import type { SecretPurpose } from '../../core/sealed-secret.ts'
import type { MetaKey } from '../meta-rows.ts'

/** A column that has secrets, sealed with the deployment's key (core/sealed-secret.ts). */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  readonly purpose: SecretPurpose
  /** Of `meta`: whose value it is. */
  readonly key?: MetaKey
  /** Whether it has a list of them, as JSON. */
  readonly isList?: true
  /** Whether equal secrets are sealed alike. */
  readonly isAlike?: true
}

/** All such columns that backups have. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'login_provider', column: 'client_secret', purpose: 'login provider' },
  { table: 'totp', column: 'secret', purpose: 'second factor' },
  { table: 'zoom_account', column: 'tokens', purpose: 'zoom account' },
  { table: 'incoming_webhook', column: 'secrets', purpose: 'incoming webhook', isList: true, isAlike: true },
  { table: 'meta', column: 'value', key: 'jwt_secret', purpose: 'json web token' },
]
