import type { Environment } from '../environment.ts'

/** Sources, for a Content-Security-Policy, of providers of GIFs, which browsers ask themselves. */
const GIF_HOSTS = {
  giphy: { search: 'https://api.giphy.com', pictures: 'https://*.giphy.com' },
  tenor: { search: 'https://tenor.googleapis.com', pictures: 'https://media.tenor.com' },
} as const

/** Returns where browsers search for GIFs, and from where they load previews: only providers whose key this deployment has. */
export function gifHosts({ GIPHY_API_KEY, TENOR_API_KEY }: Environment): {
  readonly search: readonly string[]
  readonly pictures: readonly string[]
} {
  const hosts = [GIPHY_API_KEY ? GIF_HOSTS.giphy : [], TENOR_API_KEY ? GIF_HOSTS.tenor : []].flat()
  return { search: hosts.map(({ search }) => search), pictures: hosts.map(({ pictures }) => pictures) }
}
