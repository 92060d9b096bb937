import type { ServerFacts } from './chat-state.ts'
import { escapeLinkText } from './mention-text.ts'

/** Ratings from the mildest on: the position of each is its id in the organization's setting, of which 0 is "no GIFs". */
const RATINGS = ['', 'y', 'g', 'pg', 'pg-13', 'r'] as const
type Rating = Exclude<(typeof RATINGS)[number], ''>

/** Tenor's name for the filter that lets nothing above a rating through. It has none for Y, which it counts as G. */
const TENOR_FILTERS: Readonly<Record<Rating, string>> = {
  y: 'high',
  g: 'high',
  pg: 'medium',
  'pg-13': 'low',
  r: 'off',
}

/** The source of this organization's GIFs. */
export interface GifSource {
  readonly provider: 'giphy' | 'tenor'
  readonly key: string
  /** The highest rating that is shown. */
  readonly rating: Rating
}

export interface Gif {
  readonly id: string
  /** The description; '' if the provider gives none. */
  readonly title: string
  /** The address that a message links to. */
  readonly url: string
  readonly preview: string
  /** Address of a picture of it that does not move. */
  readonly still: string
}

export interface GifPage {
  readonly gifs: readonly Gif[]
  /** Where the next page begins; undefined after the last one. */
  readonly next: string | undefined
}

export interface GifSearch {
  /** '': those that are popular now. */
  readonly query: string
  readonly language: string
  readonly from: string | undefined
}

/** Number of GIFs of a page. */
const PAGE = 24

/** Returns the source of GIFs; undefined if the server has no key, or the organization has turned GIFs off. */
export function gifSourceOf({
  organization,
  server,
}: {
  readonly organization: { readonly gif_rating_policy: number }
  readonly server: Partial<Pick<ServerFacts, `${'giphy' | 'tenor'}_api_key`>>
}): GifSource | undefined {
  const rating = RATINGS[organization.gif_rating_policy]
  if (!rating) return undefined
  for (const provider of ['giphy', 'tenor'] as const) {
    const key = server[`${provider}_api_key`]
    if (key) return { provider, key, rating }
  }
  return undefined
}

/** Returns the address at which the provider answers a search. */
export function gifSearchAddress(source: GifSource, { query, language, from }: GifSearch): string {
  return source.provider === 'giphy'
    ? addressOf(`https://api.giphy.com/v1/gifs/${query === '' ? 'trending' : 'search'}`, {
        api_key: source.key,
        q: query,
        limit: String(PAGE),
        offset: from ?? '',
        rating: source.rating,
        lang: query === '' ? '' : language,
      })
    : addressOf(`https://tenor.googleapis.com/v2/${query === '' ? 'featured' : 'search'}`, {
        key: source.key,
        client_key: 'parley',
        q: query,
        limit: String(PAGE),
        pos: from ?? '',
        contentfilter: TENOR_FILTERS[source.rating],
        media_filter: 'gif,mediumgif,tinygif,tinygifpreview',
        locale: language,
      })
}

/** Empty parameters are left out. */
function addressOf(path: string, params: Readonly<Record<string, string>>): string {
  const given = Object.entries(params).filter(([, value]) => value !== '')
  return `${path}?${new URLSearchParams(given)}`
}

// biome-ignore lint/suspicious/noExplicitAny: the provider decides what it answers; nothing below relies on it
type Answer = any

/** Reads the provider's answer. GIFs without an address, and those above the rating, are left out. */
export function gifPageOf(source: GifSource, answer: Answer): GifPage {
  const entries: unknown = source.provider === 'giphy' ? answer?.data : answer?.results
  if (!Array.isArray(entries)) throw new TypeError('A list of GIFs expected')
  const read = source.provider === 'giphy' ? gifOfGiphy : gifOfTenor
  return {
    gifs: entries
      .filter((one) => isWithin(source.rating, one?.rating))
      .flatMap((one) => read(one ?? {}) ?? []),
    next: source.provider === 'giphy' ? nextOfGiphy(answer.pagination) : textOf(answer.next) || undefined,
  }
}

/** Giphy gives each a rating; those without one are filtered already, as at Tenor. */
function isWithin(highest: Rating, rating: unknown): boolean {
  const at = RATINGS.indexOf(rating as Rating)
  return at <= RATINGS.indexOf(highest)
}

function gifOfGiphy({ id, title, alt_text, images }: Answer): Gif | undefined {
  return gifOf({
    id,
    title: textOf(alt_text) || textOf(title),
    url: images?.downsized_medium?.url || images?.original?.url,
    preview: images?.fixed_width?.webp || images?.fixed_width?.url,
    still: images?.fixed_width_still?.url,
  })
}

function gifOfTenor({ id, title, content_description, media_formats }: Answer): Gif | undefined {
  return gifOf({
    id,
    title: textOf(content_description) || textOf(title),
    url: media_formats?.mediumgif?.url || media_formats?.gif?.url,
    preview: media_formats?.tinygif?.url,
    still: media_formats?.tinygifpreview?.url,
  })
}

function gifOf({ id, title, url, preview, still }: Readonly<Record<keyof Gif, unknown>>): Gif | undefined {
  const [whole, small] = [secureAddress(url), secureAddress(preview)]
  if (!whole || !small) return undefined
  const name = textOf(title).replace(/\s+/g, ' ').trim()
  return { id: String(id), title: name, url: whole, preview: small, still: secureAddress(still) ?? small }
}

function nextOfGiphy(pagination: Answer): string | undefined {
  const { offset, count, total_count } = pagination ?? {}
  const next = Number(offset) + Number(count)
  return count > 0 && next < total_count ? String(next) : undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function secureAddress(value: unknown): string | undefined {
  const url = URL.parse(textOf(value))
  // A closing bracket would end the link of a message.
  return url?.protocol === 'https:' ? url.href.replaceAll('(', '%28').replaceAll(')', '%29') : undefined
}

/** Returns the Markdown for a GIF: a link, below which the message shows the picture. */
export function markdownOfGif({ title, url }: Pick<Gif, 'title' | 'url'>): string {
  return `[${escapeLinkText(title) || 'GIF'}](${url})`
}
