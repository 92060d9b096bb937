import { inParts } from '../../../core/parts-of-lists.ts'
import type { Steps } from '../../../core/reader.ts'
import { containsNeedle } from '../../../core/search-text.ts'
import type { Sql } from '../../../core/sql.ts'
import { newestTopicId, topicsAmongContaining, topicsContaining } from '../../../store/messages/topic-rows.ts'

/** Comparisons of a topic with a needle in one statement: some 10 ms. */
const COMPARED_AT_ONCE = 40_000
/** Rows that would take as long to read as these comparisons take. */
const WORK_OF_COMPARING = 4_000
/** Number of topics of which is known what they contain, from which on all are looked at again. */
const TOPICS_KNOWN = 20_000

/** The needles that the topics of messages contain. */
export class TopicNeedles {
  readonly #sql: Sql
  readonly #needles: readonly string[]
  /** The needles in each topic that was looked at; undefined: none. */
  readonly #known = new Map<number, ReadonlySet<string> | undefined>()

  constructor(sql: Sql, needles: readonly string[]) {
    this.#sql = sql
    this.#needles = needles
  }

  /** Reads topics, after which `missing` can be asked about them. */
  *look(topicIds: Iterable<number>): Steps<void> {
    if (this.#needles.length === 0) return
    if (this.#known.size >= TOPICS_KNOWN) this.#known.clear()
    const ids = [...new Set(topicIds)].filter((id) => !this.#known.has(id))
    for (const part of inParts(ids, Math.ceil(COMPARED_AT_ONCE / this.#needles.length))) {
      for (const id of part) this.#known.set(id, undefined)
      for (const { id, name } of topicsAmongContaining(this.#sql, this.#needles, part)) {
        this.#known.set(id, needlesIn(name, this.#needles))
      }
      yield (WORK_OF_COMPARING * part.length * this.#needles.length) / COMPARED_AT_ONCE
    }
  }

  /** Whether the topic has any of the needles. */
  hasAny(topicId: number): boolean {
    return this.#known.get(topicId) !== undefined
  }

  /** Returns the needles that are not in the topic. */
  missing(topicId: number, needles: readonly string[]): readonly string[] {
    const contained = this.#known.get(topicId)
    return contained ? needles.filter((needle) => !contained.has(needle)) : needles
  }
}

/** Topics that have some of the needles in their names, by those that they lack. */
export type TopicsByMissing = readonly (readonly [missing: readonly string[], topicIds: readonly number[]])[]

/** Finds all topics that have some of the needles. The commonest first. */
export function* findTopicsByMissing(sql: Sql, needles: readonly string[]): Steps<TopicsByMissing> {
  const found = new Map<string, [missing: readonly string[], topicIds: number[]]>()
  const newest = newestTopicId(sql)
  const size = Math.ceil(COMPARED_AT_ONCE / needles.length)
  for (let above = 0; above < newest; above += size) {
    for (const { id, name } of topicsContaining(sql, needles, above, above + size)) {
      const contained = needlesIn(name, needles)
      if (contained.size === 0) continue
      const missing = needles.filter((needle) => !contained.has(needle))
      const key = JSON.stringify(missing)
      const known = found.get(key)
      if (known) known[1].push(id)
      else found.set(key, [missing, [id]])
    }
    yield (WORK_OF_COMPARING * Math.min(size, newest - above) * needles.length) / COMPARED_AT_ONCE
  }
  return [...found.values()].sort(([, a], [, b]) => b.length - a.length)
}

function needlesIn(name: string, needles: readonly string[]): ReadonlySet<string> {
  return new Set(needles.filter((needle) => containsNeedle(name, needle)))
}
