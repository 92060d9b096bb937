/** Returns the prefix of the keys in R2 of what an import has read. */
export function importPrefix(realmId: number, { secret }: { readonly secret: string }): string {
  return `imports/${realmId}/${secret}/`
}
