/** A change that takes several commits: a generator, each `yield` of which is one. It knows nothing of how they are made. */
export class LongChange<Part, Result> {
  readonly #commits: Generator<Part, Result, unknown>
  #next: Part | undefined

  /** @throws what refuses the change before its first commit */
  constructor(commits: Generator<Part, Result, unknown>) {
    this.#commits = commits
    const { done, value } = commits.next()
    if (done) throw new Error('A change without a commit')
    this.#next = value
  }

  /** The commit that is to be made. */
  get next(): Part {
    if (this.#next === undefined) throw new Error('The change is over')
    return this.#next
  }

  /**
   * Goes on with what a commit has returned, at the end of its transaction, so that what belongs to the last commit can be added to it.
   * Returns the result after the last one.
   * @throws Error when the commit was made before: a generator cannot be set back, so nothing may run it again after this.
   */
  goOn(made: Part, returned: unknown): { readonly result: Result } | undefined {
    if (made !== this.#next) throw new Error('A commit of a change was not stored, and is lost')
    const { done, value } = this.#commits.next(returned)
    this.#next = done ? undefined : value
    return done ? { result: value } : undefined
  }
}
