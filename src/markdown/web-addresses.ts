import { sharedParser } from './parser.ts'

/** A bare web address in a text: `[start, end)` in UTF-16 units. */
export interface WebAddress {
  start: number
  end: number
  text: string
  url: string
}

/** The `http://` and `https://` addresses of a text. Names without a scheme are not taken for addresses. */
export function findWebAddresses(text: string): WebAddress[] {
  const md = sharedParser()
  return (md.linkify.match(text) ?? [])
    .filter(({ schema }) => schema === 'http:' || schema === 'https:')
    .map(({ index, lastIndex, raw, url }) => ({
      start: index,
      end: lastIndex,
      text: raw,
      url: md.normalizeLink(url),
    }))
}
