export const readingEn = {
  viewer: { zoom: 'Zoom', previous: 'Previous', next: 'Next', failed: 'Couldn’t load this image' },
  search: {
    title: 'Search',
    filters: 'Filters',
    results: (count: number, isAll: boolean): string =>
      !isAll ? `${count}+ results` : count === 1 ? '1 result' : `${count} results`,
    from: 'From',
    in: 'In',
    date: 'Date',
    has: 'Has',
    removeFilter: (name: string): string => `Remove filter: ${name}`,
    findPerson: 'Find a person',
    findChannel: 'Find a channel',
    days: { 0: 'Today', 7: 'Last 7 days', 30: 'Last 30 days', 365: 'Last 12 months' } as Record<
      number,
      string
    >,
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
