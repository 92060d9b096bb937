import type { MarkdownLookups } from './render-types.ts'

/**
 * Returns the address from which readers load a picture or video; the organization's own are unchanged. Undefined if it must not be
 * shown.
 */
export function loadedFrom(
  address: string,
  { externalPicture, realmUrl }: Pick<MarkdownLookups, 'externalPicture' | 'realmUrl'>,
): string | undefined {
  if (!externalPicture) return address
  // Parsed as browsers do: `//host/` and `/\host/` are not paths.
  if (!URL.canParse(address, realmUrl)) return undefined
  const { host, href } = new URL(address, realmUrl)
  return host === new URL(realmUrl).host ? address : externalPicture(href)
}
