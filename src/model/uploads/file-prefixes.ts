/**
 * Returns the prefixes of all of an organization's keys in R2: uploads with their smaller forms and the
 * chunks of unfinished ones (upload-file.ts), pictures of users, emoji and the organization
 * (images/public-image.ts), and archives with their chunks (exports/present-export.ts),
 * and what imports have read (imports/import-prefix.ts).
 */
export function filePrefixesOf(realmId: number): readonly string[] {
  return [`user_uploads/${realmId}/`, `images/${realmId}/`, `exports/${realmId}/`, `imports/${realmId}/`]
}
