import { FOLDING, type Folding } from '../message/fold.ts'

/** Pixels from the end that still count as the end. */
const AT_END = 24
/** Pixels that stay free above a row, and the lines that belong to it, for a heading that stays in view. */
const BELOW_HEADING = 36
const LINES = '.heading-row, .unread-line, .day-line'

type Position =
  /** The end of the list: new messages are followed. */
  | { readonly kind: 'end' }
  /** The row, and its distance from the top edge at the beginning. */
  | { readonly kind: 'row'; readonly row: HTMLElement; readonly top: number }

/**
 * The one writer of a list's scroll position. It knows the reader's row, and keeps its position when rows above it change; at the end it
 * follows the end.
 */
export class ScrollKeeper {
  readonly #view: HTMLElement
  readonly #content: HTMLElement
  readonly #sizes: ResizeObserver
  /** The rows in the order of the list; read again when the list has changed. */
  #rows: HTMLElement[] | undefined
  #position: Position = { kind: 'end' }
  /** The last offset that was written: a scroll event that finds it is not the reader's. */
  #written = Number.NaN
  /** Whether the end of the list is the end of the conversation. */
  followsEnd = false
  /** The first row that arrived while the user was away, which stays in view when others follow. */
  unseen: HTMLElement | null = null

  constructor(view: HTMLElement, content: HTMLElement) {
    this.#view = view
    this.#content = content
    this.#sizes = new ResizeObserver(() => this.settle())
    this.#sizes.observe(content)
    this.#sizes.observe(view)
    // The text that is folded or unfolded stays where it is, or comes into view: the end is not followed then.
    content.addEventListener(FOLDING, (event) => {
      const row = (event.target as Element).closest<HTMLElement>('[data-id]')
      if (!row) return
      const { opens } = (event as CustomEvent<Folding>).detail
      const top = this.#topOf(row)
      this.#position = { kind: 'row', row, top: opens ? top : Math.max(top, BELOW_HEADING) }
      // As soon as it has happened, before a scroll of the browser's own counts as the reader's.
      queueMicrotask(() => this.settle())
    })
  }

  /** Records that rows have been added or removed; must be called before anything else. */
  noteRows(): void {
    this.#rows = undefined
  }

  stop(): void {
    this.#sizes.disconnect()
  }

  get isAtEnd(): boolean {
    const { scrollHeight, scrollTop, clientHeight } = this.#view
    return scrollHeight - scrollTop - clientHeight <= AT_END
  }

  /** The reader's row: its id, and pixels from the upper edge. Undefined at the end. */
  get reading(): { readonly id: number; readonly top: number } | undefined {
    const position = this.#position
    return position.kind === 'row'
      ? { id: Number(position.row.dataset.id), top: Math.round(position.top) }
      : undefined
  }

  /** Scrolls a row to a number of pixels below the upper edge. */
  toPosition(row: HTMLElement, top: number): void {
    this.#write(this.#view.scrollTop + this.#topOf(row) - top)
    this.#position = this.#positionAt(row)
  }

  /** Handles a scroll event. True when the reader has scrolled. */
  noteScroll(): boolean {
    if (Math.abs(this.#view.scrollTop - this.#written) < 1.5) return false
    this.#written = Number.NaN
    this.#position = this.#positionAt(this.firstVisible)
    return true
  }

  /** Restores the reader's position. After each change of the list, before it is painted. */
  settle(): void {
    const position = this.#position
    if (position.kind === 'end') {
      if (this.followsEnd || Number.isNaN(this.#written)) this.#follow()
      return
    }
    if (!position.row.isConnected) {
      this.#position = this.#positionAt(this.firstVisible)
      return
    }
    const moved = this.#topOf(position.row) - position.top
    if (Math.abs(moved) >= 0.5) this.#write(this.#view.scrollTop + moved)
    if (this.followsEnd && this.isAtEnd) this.#position = { kind: 'end' }
  }

  /** Scrolls to the end, but not past the first row that arrived while the user was away. */
  #follow(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#view
    const above = this.unseen?.isConnected
      ? this.#topOf(this.unseen) - this.#leadOf(this.unseen)
      : Number.POSITIVE_INFINITY
    const goal = scrollTop + Math.max(0, above)
    this.#write(Math.min(goal, scrollHeight))
    if (goal < scrollHeight - clientHeight) this.#position = this.#positionAt(this.firstVisible)
  }

  toEnd(): void {
    this.#position = { kind: 'end' }
    this.#write(this.#view.scrollHeight)
  }

  /** Scrolls to a row; `share` of the view's height stays free above it. */
  toRow(row: HTMLElement, share: number): void {
    const free = Math.max(
      0,
      Math.min(
        Math.max(this.#view.clientHeight * share, this.#leadOf(row)),
        this.#view.clientHeight - row.offsetHeight,
      ),
    )
    this.#write(this.#view.scrollTop + this.#topOf(row) - free)
    this.#position = this.#positionAt(row)
  }

  /** Moves as little as is needed. */
  show(row: HTMLElement): void {
    const top = this.#topOf(row)
    const bottom = top + row.offsetHeight
    const margin = 40
    if (top < margin) this.scrollBy(top - margin)
    else if (bottom > this.#view.clientHeight - 8) {
      this.scrollBy(Math.min(bottom - this.#view.clientHeight + 8, top - margin))
    }
  }

  /** Scrolls as if the reader had. */
  scrollBy(distance: number): void {
    this.#view.scrollTop += distance
    this.#written = Number.NaN
    this.noteScroll()
  }

  /** Id of the last row that is in view, at least in part. */
  get lastVisibleId(): number {
    return Number(this.#rowsFrom(this.#indexAt(0)).at(-1)?.dataset.id ?? 0)
  }

  /** Returns the message in view that is nearest to another one: itself, if it is in view. Undefined for one that is not in the list. */
  nearestInView(id: number | undefined): number | undefined {
    const rows = this.#allRows()
    const at = rows.findIndex(({ dataset }) => Number(dataset.id) === id)
    if (at === -1) return undefined
    const from = this.#indexAt(0)
    const last = from + this.#rowsFrom(from).length - 1
    return Number(rows[Math.max(from, Math.min(at, last))]!.dataset.id)
  }

  /** Returns rows that are wholly in view, or that fill it. */
  visibleRows(): HTMLElement[] {
    const height = this.#view.clientHeight
    return this.#rowsFrom(this.#indexAt(0)).filter((row) => {
      const top = this.#topOf(row)
      const bottom = top + row.offsetHeight
      return (top >= -1 && bottom <= height + 1) || (bottom <= height + 1 && bottom > height / 2)
    })
  }

  #write(top: number): void {
    this.#view.scrollTop = top
    this.#written = this.#view.scrollTop
  }

  /** Returns the position of a reader at a row; a reader who sees the end of the conversation is at the end. */
  #positionAt(row: HTMLElement | undefined): Position {
    if (!row || (this.followsEnd && this.isAtEnd)) return { kind: 'end' }
    return { kind: 'row', row, top: this.#topOf(row) }
  }

  get firstVisible(): HTMLElement | undefined {
    return this.#allRows()[this.#indexAt(0)]
  }

  #allRows(): HTMLElement[] {
    this.#rows ??= [...this.#content.querySelectorAll<HTMLElement>(':scope > [data-id]')]
    return this.#rows
  }

  /** Returns the index of the first row that ends below `y`. */
  #indexAt(y: number): number {
    const rows = this.#allRows()
    const edge = this.#edge() + y
    let from = 0
    let to = rows.length - 1
    while (from < to) {
      const middle = (from + to) >> 1
      const row = rows[middle]!
      if (row.getBoundingClientRect().bottom <= edge) from = middle + 1
      else to = middle
    }
    return from
  }

  #rowsFrom(index: number): HTMLElement[] {
    const rows = this.#allRows()
    const end = this.#edge() + this.#view.clientHeight
    const found: HTMLElement[] = []
    for (let at = index; at < rows.length && rows[at]!.getBoundingClientRect().top < end; at += 1) {
      found.push(rows[at]!)
    }
    return found
  }

  /** Returns the pixels of the row below the visible upper edge. */
  #topOf(row: HTMLElement): number {
    return row.getBoundingClientRect().top - this.#edge()
  }

  /** Whether a line begins between these pixels below the upper edge. */
  hasLine(selector: string, { from, to }: { readonly from: number; readonly to: number }): boolean {
    return [...this.#content.querySelectorAll<HTMLElement>(selector)].some((line) => {
      const top = this.#topOf(line)
      return top > from && top < to
    })
  }

  /** Returns the pixels that a row needs above it: for its lines, and a heading that stays in view. */
  #leadOf(row: HTMLElement): number {
    const first = linesAbove(row).at(-1) ?? row
    return Math.max(0, row.offsetTop - first.offsetTop) + BELOW_HEADING
  }

  #edge(): number {
    return this.#view.getBoundingClientRect().top
  }
}

/** Returns the lines that belong to a row, from its own upwards: the heading, the line of new messages, the day. */
function linesAbove(row: HTMLElement): HTMLElement[] {
  const lines: HTMLElement[] = []
  for (let above = row.previousElementSibling; above; above = above.previousElementSibling) {
    if (!(above instanceof HTMLElement) || !above.matches(LINES)) break
    lines.push(above)
  }
  return lines
}
