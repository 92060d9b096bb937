/** A problem with one record, and where it is. */
export interface ImportProblem {
  readonly kind: string
  readonly detail: string
  readonly file: string | null
  readonly line: number | null
}

/** The location of a record in the archive. */
export interface PlaceOfRecord {
  readonly file?: string | undefined
  readonly line?: number | undefined
}

/** A record as it is stored until it is written. */
export type Placed<Kept> = Kept & { readonly at?: PlaceOfRecord }

/** Numbers by name. A list, since archives choose some of the names. */
export type Counts = readonly (readonly [name: string, count: number])[]

/** The findings and results of an import so far. */
export interface ImportReport {
  /** Records by type. */
  readonly records: Counts
  /** People, channels and messages by what matters for the decision to import them. */
  readonly found: Counts
  /** Fields that were left out, as `type.field`. */
  readonly passedOver: Counts
  readonly problems: Counts
  readonly problemsListed: number
  /** Numbers of things made here. */
  readonly written: Counts
  /** Reactions by the name of a custom emoji that is missing. Reports of earlier builds have none. */
  readonly missingEmoji?: Counts
  /** Milliseconds of UNIX time of the oldest message; null without any. */
  readonly firstTime: number | null
  /**
   * Milliseconds of UNIX time at which the archive was made: what it says itself, or the last message or edit in it. Reports of earlier builds have
   * none.
   */
  readonly madeAt?: number | null
  /** Whether an archive of the source that was made later was imported before. Such a one only adds what is missing. */
  readonly isOlder?: boolean
  /** Characters of all texts of messages, and bytes of all files whose size is known. */
  readonly characters: number
  readonly fileBytes: number
}

export const EMPTY_REPORT: ImportReport = {
  records: [],
  found: [],
  passedOver: [],
  problems: [],
  problemsListed: 0,
  written: [],
  firstTime: null,
  characters: 0,
  fileBytes: 0,
}

export function numberOf(counts: Counts, name: string): number {
  return counts.find(([one]) => one === name)?.[1] ?? 0
}

/** Problems of an import that are kept with their places: of all kinds, and of one, so that frequent ones leave room for others. */
const [MAX_PROBLEMS_LISTED, MAX_LISTED_OF_KIND] = [1_000, 100] as const
/** Names that are counted separately; archives choose some of them. */
const MAX_NAMES = 300
const OTHERS = 'others'
const MAX_NAME_LENGTH = 100
const MAX_DETAIL_LENGTH = 300

type CountedList = 'records' | 'found' | 'passedOver' | 'problems' | 'written' | 'missingEmoji'

/** Counts the records and problems of an import's step. Nothing counts before the report is stored with the step. */
export class ImportTally {
  readonly #before: ImportReport
  readonly #counts = new Map<CountedList, Map<string, number>>()
  /** Problems to list, after those that are listed already. */
  readonly listed: ImportProblem[] = []
  #firstTime: number | null
  #madeAt: number | null
  #place: PlaceOfRecord = {}
  #characters: number
  #fileBytes: number

  constructor(before: ImportReport) {
    this.#before = before
    this.#firstTime = before.firstTime
    this.#madeAt = before.madeAt ?? null
    this.#characters = before.characters
    this.#fileBytes = before.fileBytes
  }

  count(list: Exclude<CountedList, 'problems'>, name: string, by = 1): void {
    this.#add(list, name, by)
  }

  noteMessage(time: number, characters: number): void {
    this.#firstTime = Math.min(this.#firstTime ?? time, time)
    this.#characters += characters
  }

  /** Notes a time before which the archive was not made. */
  noteTime(time: number): void {
    this.#madeAt = Math.max(this.#madeAt ?? 0, time)
  }

  noteFile(bytes: number): void {
    this.#fileBytes += bytes
  }

  /** Sets the record to which the next problems belong. */
  isAt({ at = {} }: Placed<unknown>): void {
    this.#place = at
  }

  problem(kind: string, detail: string, place: PlaceOfRecord = this.#place): void {
    const ofKind = this.#add('problems', kind, 1)
    const listed = this.#before.problemsListed + this.listed.length
    if (ofKind > MAX_LISTED_OF_KIND || listed >= MAX_PROBLEMS_LISTED) return
    this.listed.push({
      kind: kind.slice(0, MAX_NAME_LENGTH).toWellFormed(),
      detail: detail.slice(0, MAX_DETAIL_LENGTH).toWellFormed(),
      file: place.file?.slice(0, MAX_DETAIL_LENGTH).toWellFormed() ?? null,
      line: place.line ?? null,
    })
  }

  get report(): ImportReport {
    return {
      records: this.#list('records'),
      found: this.#list('found'),
      passedOver: this.#list('passedOver'),
      problems: this.#list('problems'),
      problemsListed: this.#before.problemsListed + this.listed.length,
      written: this.#list('written'),
      missingEmoji: this.#list('missingEmoji'),
      firstTime: this.#firstTime,
      madeAt: this.#madeAt,
      ...(this.#before.isOlder && { isOlder: true }),
      characters: this.#characters,
      fileBytes: this.#fileBytes,
    }
  }

  /** Returns how many there are by this name now. */
  #add(list: CountedList, name: string, by: number): number {
    if (by === 0) return 0
    const counts = this.#counts.get(list) ?? new Map(this.#before[list])
    this.#counts.set(list, counts)
    const short = name.slice(0, MAX_NAME_LENGTH).toWellFormed()
    const key = counts.has(short) || counts.size < MAX_NAMES ? short : OTHERS
    const count = (counts.get(key) ?? 0) + by
    counts.set(key, count)
    return count
  }

  #list(list: CountedList): Counts {
    return [...(this.#counts.get(list) ?? this.#before[list] ?? [])]
  }
}
