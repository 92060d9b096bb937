import type { MarkdownLookups } from './render-types.ts'

/**
 * Asks for the channels and people that a text seems to name, as its rendering will: so that these look-ups, some 0.1 ms each, can have a
 * turn of their own. What it misses, or asks in vain, only costs time.
 */
export function askForNamed(source: string, lookups: MarkdownLookups): void {
  for (const name of between(source, '#**')) {
    const bar = name.indexOf('>')
    const parent = bar <= 0 ? undefined : lookups.channelNamed(name.slice(0, bar))
    if (!parent) lookups.channelNamed(name)
    else if (!MESSAGE_ID.test(name)) lookups.newestInTopic?.(parent.id, name.slice(bar + 1))
  }
  for (const opening of ['@**', '@_**']) {
    for (const name of between(source, opening)) {
      const id = name.slice(name.lastIndexOf('|') + 1)
      if (id !== name && IS_ID.test(id)) lookups.userById(Number(id))
      else lookups.usersNamed(name)
    }
  }
}

/** The end of a link to a message. */
const MESSAGE_ID = /@\d{1,15}$/
const IS_ID = /^\d{1,15}$/

/** Yields what stands between these signs and the next two stars, on one line. */
function* between(source: string, opening: string): Generator<string> {
  for (let at = source.indexOf(opening); at >= 0; at = source.indexOf(opening, at + opening.length)) {
    const start = at + opening.length
    const end = source.indexOf('**', start)
    if (end < 0) return
    const name = source.slice(start, end)
    if (name !== '' && !name.includes('\n')) yield name
  }
}
