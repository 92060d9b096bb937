import type { RealmIdentity } from '../../core/realm-transaction.ts'

/** Archives are loaded below it, by realm, secret and name. Nobody can guess an address. */
export const EXPORT_PATH = '/user_avatars/exports/'

export function archiveName(
  { stringId }: Pick<RealmIdentity, 'stringId'>,
  { id }: { readonly id: number },
): string {
  return `${stringId}-export-${id}.tar`
}

/** Everything of an export in R2 has a key that begins so. */
export function exportPrefix(realmId: number, { secret }: { readonly secret: string }): string {
  return `exports/${realmId}/${secret}/`
}

export function archiveKey(realmId: number, exported: { readonly secret: string }): string {
  return `${exportPrefix(realmId, exported)}archive`
}
