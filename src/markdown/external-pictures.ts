import type { MarkdownLookups } from './render-types.ts'

/**
 * The address that readers load a picture or video from: the organization's own from where it is. Undefined when it is not to
 * be shown.
 */
export function loadedFrom(
  address: string,
  { externalPicture, realmUrl }: Pick<MarkdownLookups, 'externalPicture' | 'realmUrl'>,
): string | undefined {
  if (!externalPicture) return address
  // As browsers read it: `//host/` and `/\host/` are no paths.
  if (!URL.canParse(address, realmUrl)) return undefined
  const { host, href } = new URL(address, realmUrl)
  return host === new URL(realmUrl).host ? address : externalPicture(href)
}
