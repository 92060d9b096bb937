/**
 * The changes of the state, by slice. The engine mutates its maps in place, because ten thousand users are not copied for one
 * who comes online; a view that shows a slice asks to hear when that slice is touched, and renders again then alone.
 *
 * A slice is a name (`users`), or a name and a key (`user 12`). Touching the part touches the whole: who shows the list of
 * users listens to `users`, who shows one of them to `user 12`.
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

/** `wholes`: names of which every part has changed, whether it is in `touched` or not. */
export type ChangeListener = (touched: ReadonlySet<Slice>, wholes: ReadonlySet<SliceName>) => void

export class Changes {
  #now = 0
  readonly #versions = new Map<Slice, number>()
  #touched = new Set<Slice>()
  /** The slices of which every part has changed. */
  #wholes = new Set<SliceName>()
  readonly #listeners = new Set<ChangeListener>()

  touch(name: SliceName, key?: string | number): void {
    this.#now += 1
    this.#note(name)
    if (key !== undefined) this.#note(`${name} ${key}`)
  }

  /** The slice and each of its parts that anybody has seen change, or listens to by name. */
  touchAll(name: SliceName): void {
    this.touch(name)
    for (const slice of this.#versions.keys()) if (slice.startsWith(`${name} `)) this.#note(slice)
    this.#wholes.add(name)
  }

  /** Grows whenever the slice is touched; 0 while it never was. */
  version(slice: Slice): number {
    return this.#versions.get(slice) ?? 0
  }

  /** Reports what was touched since the last call to all listeners at once: after each batch of events, and each action. */
  flush(): void {
    if (this.#touched.size === 0) return
    const touched = this.#touched
    const wholes = this.#wholes
    this.#touched = new Set()
    this.#wholes = new Set()
    for (const listener of this.#listeners) listener(touched, wholes)
  }

  /** Returns what ends the listening. */
  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Forgets a slice of something that is gone for good: its version is not kept for ever. */
  forget(slice: Slice): void {
    this.#versions.delete(slice)
  }

  #note(slice: Slice): void {
    this.#versions.set(slice, this.#now)
    this.#touched.add(slice)
  }
}
