import type { RealmIdentity } from '../../core/realm-transaction.ts'

/** Path of archives, followed by realm, secret and name. Nobody can guess an address. */
export const EXPORT_PATH = '/user_avatars/exports/'

export function archiveName(
  { stringId }: Pick<RealmIdentity, 'stringId'>,
  { id }: { readonly id: number },
): string {
  return `${stringId}-export-${id}.tar`
}

/** Returns the prefix of all of an export's keys in R2. */
export function exportPrefix(realmId: number, { secret }: { readonly secret: string }): string {
  return `exports/${realmId}/${secret}/`
}

export function archiveKey(realmId: number, exported: { readonly secret: string }): string {
  return `${exportPrefix(realmId, exported)}archive`
}
