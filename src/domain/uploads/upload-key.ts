/** The key of an upload in R2. Its name is no part of it: it is not known before the file comes. */
export function uploadKey(pathOrDirectory: string): string {
  return `user_uploads/${pathOrDirectory.split('/').slice(0, 3).join('/')}`
}

/** Where an upload is whose place has this name. */
export function uploadDirectory(realmId: number, place: string): string {
  return `${realmId}/${place.slice(0, 2)}/${place}`
}
