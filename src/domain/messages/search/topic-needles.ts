import { containsNeedle } from '../../../core/search-text.ts'
import type { Sql } from '../../../core/sql.ts'
import type { Turns } from '../narrow/walk-in-turns.ts'
import { newestTopicId, topicsContaining } from '../topic-rows.ts'

/** Comparisons of a topic with a needle in one statement: some 10 ms. */
const COMPARED_AT_ONCE = 40_000

/** The needles that each topic contains: a topic is read once in a request, for all of them. */
export class TopicNeedles {
  /** Topics that contain one of them or more. */
  readonly #found = new Map<number, ReadonlySet<string>>()

  /** Finds the topics, in as many turns as needed. */
  static async find(sql: Sql, needles: readonly string[], turns: Turns): Promise<TopicNeedles> {
    const topics = new TopicNeedles()
    if (needles.length === 0) return topics
    const newest = newestTopicId(sql)
    const size = Math.ceil(COMPARED_AT_ONCE / needles.length)
    for (let above = 0; above < newest && !turns.isSpent; above += size) {
      if (above > 0) await turns.next()
      for (const { id, name } of topicsContaining(sql, needles, above, above + size)) {
        const contained = needles.filter((needle) => containsNeedle(name, needle))
        if (contained.length > 0) topics.#found.set(id, new Set(contained))
      }
    }
    return topics
  }

  /** Returns the needles that are not in the topic. */
  missing(topicId: number, needles: readonly string[]): readonly string[] {
    const contained = this.#found.get(topicId)
    return contained ? needles.filter((needle) => !contained.has(needle)) : needles
  }

  /** Groups topics by the needles that their names lack, without those that lack all. The commonest first. */
  byMissing(
    needles: readonly string[],
  ): readonly (readonly [missing: readonly string[], topicIds: readonly number[]])[] {
    const found = new Map<string, [missing: readonly string[], topicIds: number[]]>()
    for (const id of this.#found.keys()) {
      const missing = this.missing(id, needles)
      if (missing.length === needles.length) continue
      const key = JSON.stringify(missing)
      const known = found.get(key)
      if (known) known[1].push(id)
      else found.set(key, [missing, [id]])
    }
    return [...found.values()].sort(([, a], [, b]) => b.length - a.length)
  }
}
