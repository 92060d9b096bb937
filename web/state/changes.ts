/**
 * Changes of the state, by slice. The state's maps are changed in place, since copying ten thousand users for one who comes online would be
 * too slow; a view that shows a slice listens for it, and renders again only when that
 * slice is touched.
 *
 * A slice is a name (`users`), or a name and a key (`user 12`). Touching the part touches the whole: a list
 * of users listens to `users`, a view of one of them to `user 12`.
 */
export const ALL_SLICES = [
  'organization',
  'settings',
  'me',
  'user',
  'group',
  'channel',
  'folder',
  'topic policy',
  'topics of channel',
  'pins of channel',
  'unread',
  'unread of channel',
  'unread of conversation',
  'message',
  'window',
  'outbox',
  'stars',
  'recent',
  'presence',
  'status',
  'typing',
  'muted users',
  'alert words',
  'calls',
  'drafts',
  'scheduled',
  'reminders',
  'snippets',
  'navigation',
  'onboarding',
  'emoji',
  'linkifiers',
  'playgrounds',
  'domains',
  'profile fields',
  'bots',
  'attachments',
  'invitations',
  'exports',
  'devices',
] as const

export type SliceName = (typeof ALL_SLICES)[number]

/** `user`, or `user 12`. */
export type Slice = SliceName | `${SliceName} ${string | number}`

/**
 * Called with the changes. `wholes`: names of which every part has changed, including parts that are not in `touched`.
 */
export type ChangeListener = (touched: ReadonlySet<Slice>, wholes: ReadonlySet<SliceName>) => void

export class Changes {
  #now = 0
  readonly #versions = new Map<Slice, number>()
  #touched = new Set<Slice>()
  /** Slices of which every part has changed. */
  #wholes = new Set<SliceName>()
  readonly #listeners = new Set<ChangeListener>()

  touch(name: SliceName, key?: string | number): void {
    this.#now += 1
    this.#note(name)
    if (key !== undefined) this.#note(`${name} ${key}`)
  }

  /** Touches the slice and each of its parts that has ever changed, or has a listener. */
  touchAll(name: SliceName): void {
    this.touch(name)
    for (const slice of this.#versions.keys()) if (slice.startsWith(`${name} `)) this.#note(slice)
    this.#wholes.add(name)
  }

  /** Returns a number that grows whenever the slice is touched; 0 before that. */
  version(slice: Slice): number {
    return this.#versions.get(slice) ?? 0
  }

  /**
   * Reports everything that was touched since the last call to all listeners: after each batch of events, and
   * each action.
   */
  flush(): void {
    if (this.#touched.size === 0) return
    const touched = this.#touched
    const wholes = this.#wholes
    this.#touched = new Set()
    this.#wholes = new Set()
    for (const listener of this.#listeners) listener(touched, wholes)
  }

  /** Adds a listener; returns a function that removes it. */
  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Removes the slice of something that is gone for good, and its version. */
  forget(slice: Slice): void {
    this.#versions.delete(slice)
  }

  #note(slice: Slice): void {
    this.#versions.set(slice, this.#now)
    this.#touched.add(slice)
  }
}
