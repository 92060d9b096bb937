/**
 * What has changed, by slice. The engine mutates its maps in place, because ten thousand users are not copied for one
 * who comes online; a view that shows a slice asks to be told when that slice is touched, and renders again then alone.
 *
 * A slice is a name (`users`), or a name and a key (`user 12`). Touching the part touches the whole: who shows the list
 * of users listens to `users`, who shows one of them to `user 12`.
 */
export type SliceName =
  | 'organization'
  | 'settings'
  | 'me'
  | 'user'
  | 'group'
  | 'channel'
  | 'folder'
  | 'topic policy'
  | 'topics of channel'
  | 'unread'
  | 'unread of channel'
  | 'unread of conversation'
  | 'message'
  | 'window'
  | 'outbox'
  | 'stars'
  | 'recent'
  | 'presence'
  | 'status'
  | 'typing'
  | 'muted users'
  | 'alert words'
  | 'drafts'
  | 'scheduled'
  | 'reminders'
  | 'snippets'
  | 'navigation'
  | 'onboarding'
  | 'emoji'
  | 'linkifiers'
  | 'playgrounds'
  | 'domains'
  | 'profile fields'
  | 'bots'
  | 'attachments'
  | 'invitations'
  | 'exports'
  | 'devices'

/** `user`, or `user 12`. */
export type Slice = SliceName | `${SliceName} ${string | number}`

export type ChangeListener = (touched: ReadonlySet<Slice>) => void

export class Changes {
  #now = 0
  readonly #versions = new Map<Slice, number>()
  #touched = new Set<Slice>()
  readonly #listeners = new Set<ChangeListener>()

  touch(name: SliceName, key?: string | number): void {
    this.#now += 1
    this.#note(name)
    if (key !== undefined) this.#note(`${name} ${key}`)
  }

  /** Grows whenever the slice is touched; 0 while it never was. */
  version(slice: Slice): number {
    return this.#versions.get(slice) ?? 0
  }

  /** What was touched since the last call, told to all listeners at once: after each batch of events, and each action. */
  flush(): void {
    if (this.#touched.size === 0) return
    const touched = this.#touched
    this.#touched = new Set()
    for (const listener of this.#listeners) listener(touched)
  }

  /** Returns what ends the listening. */
  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Of something that is gone for good: its version is not kept for ever. */
  forget(slice: Slice): void {
    this.#versions.delete(slice)
  }

  #note(slice: Slice): void {
    this.#versions.set(slice, this.#now)
    this.#touched.add(slice)
  }
}
