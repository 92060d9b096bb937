import { afterEach, describe, expect, it, vi } from 'vitest'
import { texts as en } from '../../texts/compiled/en/page.ts'
import { ApiError, failureOf, NetworkError } from '../../web/api/errors.ts'
import { failureText } from '../../web/texts/failure-text.ts'

describe('the words for a failure', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('are the server’s own sentence, where it has one', () => {
    expect(failureText(new ApiError('BAD_REQUEST', 'Invalid channel ID', 400))).toBe('Invalid channel ID')
  })

  it('name a lost connection only where a request got no answer', () => {
    expect(failureText(new NetworkError(new TypeError('fetch failed')))).toBe(en.noConnection)
    const others = [
      new ApiError('UNKNOWN', '', 502),
      new TypeError('Illegal invocation'),
      new DOMException('no', 'NotAllowedError'),
      'a text',
      undefined,
    ]
    for (const error of others) {
      expect([failureText(error), failureOf(error).isRefused]).toEqual([en.failed, false])
    }
  })

  it('name it where the browser says so itself, whose code could not be loaded', () => {
    const error = new TypeError('Failed to fetch dynamically imported module')
    vi.stubGlobal('navigator', { onLine: true })
    expect(failureText(error)).toBe(en.failed)
    vi.stubGlobal('navigator', { onLine: false })
    expect(failureText(error)).toBe(en.noConnection)
    expect(failureText(new ApiError('BAD_REQUEST', 'Invalid channel ID', 400))).toBe('Invalid channel ID')
  })
})
