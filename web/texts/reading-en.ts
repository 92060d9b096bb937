import { grouped } from './locale.ts'

export const readingEn = {
  viewer: { zoom: 'Zoom', previous: 'Previous', next: 'Next', failed: 'Couldn’t load this image' },
  pdf: {
    file: 'PDF',
    previous: 'Previous page',
    next: 'Next page',
    page: (page: number, of: number): string => `Page ${page} of ${of}`,
    onlyFirst: (count: number): string =>
      `Only the first ${count} pages are shown. Download the file to see the rest.`,
    tooLarge: (megabytes: number): string =>
      `Files over ${megabytes} MB can’t be previewed. Download it to read it.`,
    unreadable: 'Couldn’t show this file. Download it to read it.',
  },
  widget: {
    newTask: 'New task',
    add: 'Add',
    votes: (option: string, count: number): string =>
      `${option}: ${grouped(count)} ${count === 1 ? 'vote' : 'votes'}`,
  },
  search: {
    title: 'Search',
    filters: 'Filters',
    results: (count: number, isAll: boolean): string =>
      !isAll ? `${grouped(count)}+ results` : count === 1 ? '1 result' : `${grouped(count)} results`,
    from: 'From',
    in: 'In',
    date: 'Date',
    has: 'Has',
    removeFilter: (name: string): string => `Remove filter: ${name}`,
    findPerson: 'Find a person',
    findChannel: 'Find a channel',
    days: { 0: 'Today', 7: 'Last 7 days', 30: 'Last 30 days', 365: 'Last 12 months' },
    after: 'From',
    before: 'Before',
    apply: 'Apply',
    anyTime: 'Any time',
    since: (day: string): string => `Since ${day}`,
    until: (day: string): string => `Before ${day}`,
    between: (from: string, to: string): string => `${from} – ${to}`,
    kinds: { link: 'Links', image: 'Images', attachment: 'Files', reaction: 'Reactions' },
    newest: 'Newest first',
    oldest: 'Oldest first',
    inContext: 'View in context',
    more: 'Show more results',
    save: 'Save search',
    saved: (name: string): string => `Saved “${name}” to the sidebar`,
    name: 'Name',
    none: 'No results',
    noneHint: 'Check the spelling, use fewer words, or remove a filter.',
    noneHere: 'Nothing matches all of these filters.',
    clear: 'Remove all filters',
    rename: 'Rename',
    remove: 'Remove from sidebar',
    removed: (name: string): string => `“${name}” removed`,
  },
}

export type ReadingTexts = typeof readingEn
