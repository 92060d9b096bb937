/** A change that takes several commits: a generator, each `yield` of which is one. It knows nothing of how they are made. */
export class LongChange<Part, Result> {
  readonly #commits: Generator<Part, Result, unknown>
  #next: Part | undefined
  #over: { readonly result: Result } | undefined

  /** @throws what refuses the change before its first commit */
  constructor(commits: Generator<Part, Result, unknown>) {
    this.#commits = commits
    this.#step(commits.next())
  }

  /** The commit that is to be made; undefined when nothing is to be done, and the result alone is left to be given. */
  get next(): Part | undefined {
    return this.#next
  }

  /**
   * Goes on with what a commit has returned, at the end of its transaction, so that what belongs to the last commit can be added to it.
   * Returns the result after the last one.
   * @throws Error when the commit was made before: a generator cannot be set back, so nothing may run it again after this.
   */
  goOn(made: Part | undefined, returned: unknown): { readonly result: Result } | undefined {
    if (made !== this.#next) throw new Error('A commit of a change was not stored, and is lost')
    if (made !== undefined) this.#step(this.#commits.next(returned))
    return this.#over
  }

  #step({ done, value }: IteratorResult<Part, Result>): void {
    this.#next = done ? undefined : value
    if (done) this.#over = { result: value }
  }
}
