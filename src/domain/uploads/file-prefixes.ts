/**
 * The prefixes with which every key of an organization's files in R2 begins: uploads with their smaller forms and the pieces of
 * those that are under way (upload-file.ts), pictures of users, emoji and the organization (images/public-image.ts), and
 * archives with their pieces (exports/present-export.ts).
 */
export function filePrefixesOf(realmId: number): readonly string[] {
  return [`user_uploads/${realmId}/`, `images/${realmId}/`, `exports/${realmId}/`]
}
