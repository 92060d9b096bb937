import { fromJson } from '../api/json.ts'
import { type GifPage, type GifSearch, type GifSource, gifPageOf, gifSearchAddress } from '../state/gifs.ts'

/** Milliseconds after which a provider counts as unreachable. */
const PATIENCE = 15_000

/**
 * Asks the provider directly. It learns the search and the browser's address, but nothing about the organization or the user.
 * @throws TypeError, SyntaxError or DOMException when it has no answer.
 */
export async function searchGifs(
  source: GifSource,
  search: GifSearch,
  signal: AbortSignal,
): Promise<GifPage> {
  const response = await fetch(gifSearchAddress(source, search), {
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]),
  })
  if (!response.ok) throw new TypeError(`The provider of GIFs answers with ${response.status}`)
  return gifPageOf(source, fromJson(await response.text()))
}
