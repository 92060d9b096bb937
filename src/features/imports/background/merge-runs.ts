import type { JobRuntime } from '../../../core/job-runtime.ts'
import { fromJson, type JsonText } from '../../../core/json.ts'
import { inParts } from '../../../core/parts-of-lists.ts'
import type { RecordOf } from '../../../imports/neutral.ts'
import { newestEdits } from '../../../model/imports/write-edits.ts'
import { type ImportPiece, listPieces } from '../../../store/imports/import-piece-rows.ts'
import type { Placed } from '../../../store/imports/import-report.ts'
import type { RealmImport, WritingMessagesProgress } from '../../../store/imports/import-rows.ts'
import { readRange } from './stored-archive.ts'

/** Bytes of all runs that are held at a time, and of one of them at least and at most. */
const HELD_BYTES = 12 * 1024 * 1024
const BLOCK_BYTES = { least: 16 * 1024, most: 256 * 1024 }
const NEWLINE = 10
const DECODER = new TextDecoder()

type MessageRecord = Placed<RecordOf<'message'>>

interface Head {
  readonly message: MessageRecord
  /** Bytes of its line. */
  readonly bytes: number
}

/** A run of messages by rising time, read from where it was left. */
class Run {
  readonly piece: ImportPiece
  /** Bytes up to the head. */
  offset: number
  head: Head | undefined
  readonly #runtime: Pick<JobRuntime, 'uploads'>
  readonly #blockBytes: number
  /** Bytes from `offset` on. */
  #held: Uint8Array = new Uint8Array(0)

  constructor(runtime: Pick<JobRuntime, 'uploads'>, piece: ImportPiece, offset: number, blockBytes: number) {
    this.#runtime = runtime
    this.#blockBytes = blockBytes
    this.piece = piece
    this.offset = offset
  }

  /** Makes the next message the head, at once if it is in memory. */
  advance(): Promise<void> | undefined {
    if (this.head) {
      this.offset += this.head.bytes
      this.#held = this.#held.subarray(this.head.bytes)
      this.head = undefined
    }
    if (this.offset >= this.piece.size) {
      this.#held = new Uint8Array(0)
      return undefined
    }
    const end = this.#held.indexOf(NEWLINE)
    if (end < 0) return this.#load()
    this.#take(end)
    return undefined
  }

  async #load(): Promise<void> {
    let end = -1
    for (let wanted = this.#blockBytes; end < 0; wanted *= 2) {
      const length = Math.min(wanted, this.piece.size - this.offset)
      this.#held = await readRange(this.#runtime, this.piece.key, this.offset, length)
      end = this.#held.indexOf(NEWLINE)
    }
    this.#take(end)
  }

  #take(end: number): void {
    const line = DECODER.decode(this.#held.subarray(0, end)) as JsonText<MessageRecord>
    this.head = { message: fromJson(line), bytes: end + 1 }
  }
}

/** Runs that are opened at a time. */
const OPENED_AT_ONCE = 6

/**
 * The messages of all runs, by time. A run is opened when its first message is due, so that the runs of a sorted archive are read one after
 * another.
 */
class MergedRuns {
  /** A binary heap by the time of the heads. */
  readonly #open: Run[] = []
  /** By the time of their first messages, the latest first. */
  readonly #waiting: Run[]
  readonly #written: Map<number, number>
  /** False while a read is under way, and after one has failed. */
  isWhole = true

  constructor(
    runtime: Pick<JobRuntime, 'uploads'>,
    pieces: readonly ImportPiece[],
    offsets: WritingMessagesProgress['offsets'],
  ) {
    this.#written = new Map(offsets)
    const blockBytes = Math.max(
      Math.min(Math.floor(HELD_BYTES / Math.max(pieces.length, 1)), BLOCK_BYTES.most),
      BLOCK_BYTES.least,
    )
    this.#waiting = pieces
      .map((piece) => new Run(runtime, piece, this.#written.get(piece.position) ?? 0, blockBytes))
      .filter(({ piece, offset }) => offset < piece.size)
      .sort(
        (one, other) =>
          other.piece.firstTime! - one.piece.firstTime! || other.piece.position - one.piece.position,
      )
  }

  /** Opens the runs that were begun before. */
  async reopen(): Promise<void> {
    const begun = this.#waiting.filter(({ offset }) => offset > 0)
    const others = this.#waiting.filter(({ offset }) => offset === 0)
    this.#waiting.splice(0, this.#waiting.length, ...others)
    for (const some of inParts(begun, OPENED_AT_ONCE)) await Promise.all(some.map((run) => run.advance()))
    for (const run of begun) this.#put(run)
  }

  /** Returns the next messages: at least one, if there are any. `length`: characters of their texts, or their equivalent in time. */
  async next(most: { readonly messages: number; readonly length: number }): Promise<MessageRecord[]> {
    this.isWhole = false
    const taken: MessageRecord[] = []
    let length = 0
    while (taken.length < most.messages && length < most.length) {
      await this.#openDue()
      const run = this.#open[0]
      if (!run) break
      taken.push(run.head!.message)
      length += lengthOf(run.head!.message)
      const advanced = run.advance()
      if (advanced) await advanced
      this.#written.set(run.piece.position, run.offset)
      this.#sinkFirst()
    }
    this.isWhole = true
    return taken
  }

  /** Returns the positions of all runs that have been begun. */
  get offsets(): WritingMessagesProgress['offsets'] {
    return [...this.#written]
  }

  async #openDue(): Promise<void> {
    for (let next = this.#waiting.at(-1); next; next = this.#waiting.at(-1)) {
      const earliest = this.#open[0]
      if (earliest && next.piece.firstTime! > earliest.head!.message.time_ms) return
      await next.advance()
      this.#waiting.pop()
      this.#put(next)
    }
  }

  #put(run: Run): void {
    const open = this.#open
    let at = open.push(run) - 1
    for (let above = (at - 1) >> 1; at > 0 && isBefore(run, open[above]!); above = (at - 1) >> 1) {
      open[at] = open[above]!
      open[above] = run
      at = above
    }
  }

  /** Restores the heap after the first run has advanced. */
  #sinkFirst(): void {
    const open = this.#open
    if (!open[0]!.head) {
      const last = open.pop()!
      if (open.length === 0) return
      open[0] = last
    }
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      let first = at
      if (left < open.length && isBefore(open[left]!, open[first]!)) first = left
      if (right < open.length && isBefore(open[right]!, open[first]!)) first = right
      if (first === at) return
      ;[open[at], open[first]] = [open[first]!, open[at]!]
      at = first
    }
  }
}

/** Characters whose rendering takes as long as a file, and as a reaction, star or unread mark. */
const [LENGTH_OF_FILE, LENGTH_OF_MARK] = [150, 20] as const

function lengthOf({
  content,
  edits = [],
  files = [],
  reactions = [],
  starred_by = [],
  unread_by = [],
}: MessageRecord): number {
  const versions = newestEdits(edits).reduce((sum, edit) => sum + (edit.content?.length ?? 0), 0)
  const marks = reactions.length + starred_by.length + unread_by.length
  return content.length + versions + LENGTH_OF_FILE * files.length + LENGTH_OF_MARK * marks
}

function isBefore(one: Run, other: Run): boolean {
  const [a, b] = [one.head!.message.time_ms, other.head!.message.time_ms]
  return a < b || (a === b && one.piece.position < other.piece.position)
}

interface KeptRuns {
  readonly importId: number
  readonly runs: MergedRuns
}

/** The open runs of the import under way, since opening them again for each step would take longer than the step. */
const kept = new WeakMap<JobRuntime, KeptRuns>()

/** Returns the runs from which the import continues: those of the step before, if nothing happened in between. */
export async function mergedRunsOf(
  runtime: JobRuntime,
  { id }: RealmImport,
  { offsets }: WritingMessagesProgress,
): Promise<MergedRuns> {
  const known = kept.get(runtime)
  const goesOn = known?.importId === id && known.runs.isWhole
  if (goesOn && JSON.stringify(known.runs.offsets) === JSON.stringify(offsets)) return known.runs
  const runs = new MergedRuns(runtime, listPieces(runtime.sql, id, 'messages'), offsets)
  await runs.reopen()
  kept.set(runtime, { importId: id, runs })
  return runs
}

/** Forgets the runs of an import that has ended. */
export function forgetRuns(runtime: JobRuntime): void {
  kept.delete(runtime)
}
