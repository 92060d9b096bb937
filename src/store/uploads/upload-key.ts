/** Returns the key of an upload in R2. Its name is not part of it, since it is not known before the file comes. */
export function uploadKey(pathOrDirectory: string): string {
  return `user_uploads/${pathOrDirectory.split('/').slice(0, 3).join('/')}`
}

/** Returns the directory of an upload. `fileId`: 32 hexadecimal digits. */
export function uploadDirectory(realmId: number, fileId: string): string {
  return `${realmId}/${fileId.slice(0, 2)}/${fileId}`
}
