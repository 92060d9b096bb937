import { describe, expect, it } from 'vitest'
import {
  type GifSource,
  gifPageOf,
  gifSearchAddress,
  gifSourceOf,
  markdownOfGif,
} from '../../web/state/gifs.ts'

const GIPHY: GifSource = { provider: 'giphy', key: 'k&1', rating: 'pg' }
const TENOR: GifSource = { provider: 'tenor', key: 'k2', rating: 'pg-13' }

function sourceFor(policy: number, keys: { readonly giphy?: string; readonly tenor?: string }) {
  const { giphy = '', tenor = '' } = keys
  return gifSourceOf({
    organization: { gif_rating_policy: policy },
    server: { giphy_api_key: giphy, tenor_api_key: tenor },
  })
}

function ofGiphy(id: string, facts: object = {}) {
  return {
    id,
    title: `${id} GIF`,
    rating: 'g',
    images: {
      original: { url: `https://media1.giphy.com/media/${id}/giphy.gif?cid=1` },
      fixed_width: { url: `https://media1.giphy.com/media/${id}/200w.gif` },
      fixed_width_still: { url: `https://media1.giphy.com/media/${id}/200w_s.gif` },
    },
    ...facts,
  }
}

const SEARCH = { query: 'cats & dogs', language: 'de', from: undefined }

describe('the source of GIFs', () => {
  it('is a provider for which the server has a key, GIPHY before Tenor', () => {
    expect(sourceFor(2, {})).toBeUndefined()
    expect(sourceFor(2, { tenor: 't' })).toEqual({ provider: 'tenor', key: 't', rating: 'g' })
    expect(sourceFor(4, { giphy: 'g', tenor: 't' })).toEqual({ provider: 'giphy', key: 'g', rating: 'pg-13' })
  })

  it('is none where the organization wants no GIFs, or wants a rating unknown here', () => {
    expect(sourceFor(0, { giphy: 'g' })).toBeUndefined()
    expect(sourceFor(9, { giphy: 'g' })).toBeUndefined()
  })
})

describe('a search for GIFs', () => {
  it('carries key, words, language and highest rating, as each provider names them', () => {
    const giphy = new URL(gifSearchAddress(GIPHY, SEARCH))
    expect(giphy.origin + giphy.pathname).toBe('https://api.giphy.com/v1/gifs/search')
    expect(Object.fromEntries(giphy.searchParams)).toEqual({
      api_key: 'k&1',
      q: 'cats & dogs',
      limit: '24',
      rating: 'pg',
      lang: 'de',
    })
    const tenor = new URL(gifSearchAddress(TENOR, { ...SEARCH, from: 'next1' }))
    expect(tenor.origin + tenor.pathname).toBe('https://tenor.googleapis.com/v2/search')
    expect(Object.fromEntries(tenor.searchParams)).toMatchObject({
      key: 'k2',
      q: 'cats & dogs',
      pos: 'next1',
      contentfilter: 'low',
      locale: 'de',
    })
  })

  it('without words asks for popular ones', () => {
    const search = { ...SEARCH, query: '' }
    expect(gifSearchAddress(GIPHY, search)).toContain('/v1/gifs/trending?')
    expect(gifSearchAddress(TENOR, search)).toContain('/v2/featured?')
  })

  it.each([
    ['y', 'high'],
    ['g', 'high'],
    ['pg', 'medium'],
    ['pg-13', 'low'],
    ['r', 'off'],
  ] as const)('rated %s is filtered by Tenor as "%s"', (rating, filter) => {
    const address = new URL(gifSearchAddress({ ...TENOR, rating }, SEARCH))
    expect(address.searchParams.get('contentfilter')).toBe(filter)
  })
})

describe('an answer with GIFs', () => {
  it('of GIPHY gives address, preview, still picture and the next page', () => {
    const alt = ofGiphy('b', { alt_text: 'A cat\njumps' })
    const pagination = { offset: 24, count: 2, total_count: 60 }
    expect(gifPageOf(GIPHY, { data: [ofGiphy('a'), alt], pagination })).toEqual({
      gifs: [
        {
          id: 'a',
          title: 'a GIF',
          url: 'https://media1.giphy.com/media/a/giphy.gif?cid=1',
          preview: 'https://media1.giphy.com/media/a/200w.gif',
          still: 'https://media1.giphy.com/media/a/200w_s.gif',
        },
        expect.objectContaining({ id: 'b', title: 'A cat jumps' }),
      ],
      next: '26',
    })
    expect(
      gifPageOf(GIPHY, { data: [], pagination: { ...pagination, total_count: 26 } }).next,
    ).toBeUndefined()
  })

  it('of Tenor gives the same', () => {
    const answer = {
      next: 'n2',
      results: [
        {
          id: '7',
          title: '',
          content_description: 'Dancing dog',
          media_formats: {
            gif: { url: 'https://media.tenor.com/7/large.gif' },
            mediumgif: { url: 'https://media.tenor.com/7/medium.gif' },
            tinygif: { url: 'https://media.tenor.com/7/tiny.gif' },
          },
        },
      ],
    }
    expect(gifPageOf(TENOR, answer)).toEqual({
      gifs: [
        {
          id: '7',
          title: 'Dancing dog',
          url: 'https://media.tenor.com/7/medium.gif',
          preview: 'https://media.tenor.com/7/tiny.gif',
          still: 'https://media.tenor.com/7/tiny.gif',
        },
      ],
      next: 'n2',
    })
  })

  it('is freed of GIFs above the rating, and of those with other addresses', () => {
    const odd = (url: unknown) => ofGiphy('odd', { images: { original: { url }, fixed_width: { url } } })
    const data = [
      ofGiphy('r', { rating: 'r' }),
      ofGiphy('pg', { rating: 'pg' }),
      odd('javascript:alert(1)'),
      odd('http://media1.giphy.com/a.gif'),
      odd(7),
      null,
      {},
    ]
    expect(gifPageOf(GIPHY, { data }).gifs.map(({ id }) => id)).toEqual(['pg'])
    expect(() => gifPageOf(GIPHY, { meta: { status: 403 } })).toThrow(TypeError)
  })
})

describe('a chosen GIF', () => {
  it('is a link in the message, whatever its title and address have', () => {
    const [gif] = gifPageOf(GIPHY, {
      data: [
        ofGiphy('x', {
          title: 'A [cat](x) *here*',
          images: {
            original: { url: 'https://i.giphy.com/a(b).gif' },
            fixed_width: { url: 'https://i.giphy.com/s.gif' },
          },
        }),
      ],
    }).gifs
    expect(markdownOfGif(gif!)).toBe('[A &#91;cat&#93;(x) &#42;here&#42;](https://i.giphy.com/a%28b%29.gif)')
    expect(markdownOfGif({ title: '', url: 'https://i.giphy.com/a.gif' })).toBe(
      '[GIF](https://i.giphy.com/a.gif)',
    )
  })
})
