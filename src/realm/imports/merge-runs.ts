import { fromJson, type JsonText } from '../../core/json.ts'
import type { ImportPiece } from '../../domain/imports/import-piece-rows.ts'
import type { WritingMessagesProgress } from '../../domain/imports/import-progress.ts'
import type { Placed } from '../../domain/imports/import-report.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import type { Runtime } from '../runtime.ts'
import { readRange } from './stored-archive.ts'

/** Bytes of all runs that are held at a time, and of one of them at least and at most. */
const HELD_BYTES = 12 * 1024 * 1024
const BLOCK_BYTES = { least: 16 * 1024, most: 256 * 1024 }
const NEWLINE = 10

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
  readonly #runtime: Pick<Runtime, 'uploads'>
  readonly #blockBytes: number
  /** Bytes from `offset` on. */
  #held: Uint8Array = new Uint8Array(0)

  constructor(runtime: Pick<Runtime, 'uploads'>, piece: ImportPiece, offset: number, blockBytes: number) {
    this.#runtime = runtime
    this.#blockBytes = blockBytes
    this.piece = piece
    this.offset = offset
  }

  /** Makes the next message the head. */
  async advance(): Promise<void> {
    if (this.head) {
      this.offset += this.head.bytes
      this.#held = this.#held.subarray(this.head.bytes)
      this.head = undefined
    }
    if (this.offset >= this.piece.size) return
    let end = this.#held.indexOf(NEWLINE)
    for (let wanted = this.#blockBytes; end < 0; wanted *= 2) {
      const length = Math.min(wanted, this.piece.size - this.offset)
      this.#held = await readRange(this.#runtime, this.piece.key, this.offset, length)
      end = this.#held.indexOf(NEWLINE)
    }
    const line = new TextDecoder().decode(this.#held.subarray(0, end)) as JsonText<MessageRecord>
    this.head = { message: fromJson(line), bytes: end + 1 }
  }
}

/**
 * The messages of all runs, by time. A run is read only from when its first message is due, so that those of an archive in order are read one
 * after the other.
 */
export class MergedRuns {
  readonly #open: Run[] = []
  /** By the time of their first messages, the last first. */
  readonly #waiting: Run[]
  readonly #written: ReadonlyMap<number, number>

  constructor(
    runtime: Pick<Runtime, 'uploads'>,
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

  /** Returns the next messages, at least one while there are any. */
  async next(most: { readonly messages: number; readonly length: number }): Promise<MessageRecord[]> {
    const taken: MessageRecord[] = []
    let length = 0
    while (taken.length < most.messages && length < most.length) {
      const run = await this.#earliest()
      if (!run) break
      taken.push(run.head!.message)
      length += run.head!.message.content.length
      await run.advance()
    }
    return taken
  }

  /** Returns where each run continues: those that are read to their end, and those that were begun. */
  get offsets(): WritingMessagesProgress['offsets'] {
    return [
      ...new Map([...this.#written, ...this.#open.map((run) => [run.piece.position, run.offset] as const)]),
    ]
  }

  async #earliest(): Promise<Run | undefined> {
    let earliest = this.#earliestOpen()
    for (let next = this.#waiting.at(-1); next; next = this.#waiting.at(-1)) {
      if (earliest && next.piece.firstTime! > earliest.head!.message.time_ms) break
      await next.advance()
      this.#open.push(next)
      this.#waiting.pop()
      earliest = this.#earliestOpen()
    }
    return earliest
  }

  #earliestOpen(): Run | undefined {
    let earliest: Run | undefined
    for (const run of this.#open) {
      if (!run.head) continue
      if (!earliest || isBefore(run, earliest)) earliest = run
    }
    return earliest
  }
}

function isBefore(one: Run, other: Run): boolean {
  const [a, b] = [one.head!.message.time_ms, other.head!.message.time_ms]
  return a < b || (a === b && one.piece.position < other.piece.position)
}
