import { CallTimeoutError, ForbiddenTargetError, openCall } from '../outgoing/call-out.ts'
import { followRedirects } from '../outgoing/follow-redirects.ts'
import { NoFileError } from './no-file-error.ts'

/** Milliseconds until a file begins, with all redirects; and for the whole of it. */
const BEGINS_WITHIN_MS = 10_000
const WHOLE_WITHIN_MS = 120_000

/**
 * Fetches a file from an address of the archive, encrypted and in the public network. A page where no page is expected
 * is how services report an expired address.
 * @throws NoFileError at once, or while it is read
 */
export async function* fetchFile(
  address: string,
  { maxBytes, isPage }: { readonly maxBytes: number; readonly isPage: boolean },
): AsyncGenerator<Uint8Array> {
  try {
    const found = await followRedirects(address, BEGINS_WITHIN_MS, (url, timeoutMs) => {
      if (!url.startsWith('https:')) throw new ForbiddenTargetError('The address is not encrypted')
      return openCall({
        url,
        named: { by: 'user', allowedHosts: [] },
        init: { headers: { 'User-Agent': 'ParleyImport/1.0' } },
        timeoutMs,
        bodyTimeoutMs: WHOLE_WITHIN_MS,
        // One more than may be kept, so that the caller sees that it is too large.
        maxBytes: maxBytes + 1,
        needsBody: ({ ok, headers }) =>
          ok && (isPage || !/^text\/html\b/i.test(headers.get('Content-Type') ?? '')),
      })
    })
    if (!found) throw new NoFileError('its address leads nowhere')
    const { response, chunks } = found.answer
    if (!response.ok) throw new NoFileError(`the server answers ${response.status}`)
    if (!chunks) throw new NoFileError('the server answers with something else')
    yield* chunks
  } catch (error) {
    throw error instanceof NoFileError ? error : new NoFileError(reasonOf(error))
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof CallTimeoutError) return 'it does not come in time'
  if (error instanceof ForbiddenTargetError)
    return 'its address is not an encrypted one of the public network'
  return 'it cannot be fetched'
}
