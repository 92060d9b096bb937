import type { Environment } from '../environment.ts'

/** Content-Security-Policy sources of GIF providers, which browsers ask directly. */
const GIF_HOSTS = {
  giphy: { search: 'https://api.giphy.com', pictures: 'https://*.giphy.com' },
  tenor: { search: 'https://tenor.googleapis.com', pictures: 'https://media.tenor.com' },
} as const

/** Returns where browsers search for GIFs and load previews: only the providers with a key in this deployment. */
export function gifHosts({ GIPHY_API_KEY, TENOR_API_KEY }: Environment): {
  readonly search: readonly string[]
  readonly pictures: readonly string[]
} {
  const hosts = [GIPHY_API_KEY ? GIF_HOSTS.giphy : [], TENOR_API_KEY ? GIF_HOSTS.tenor : []].flat()
  return { search: hosts.map(({ search }) => search), pictures: hosts.map(({ pictures }) => pictures) }
}
