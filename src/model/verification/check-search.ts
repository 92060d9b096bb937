import type { MessageBody } from '../../core/message-bodies.ts'
import { indexedText } from '../../core/search-text.ts'
import { firstPoints, isLongerThan } from '../../core/text-length.ts'
import { newestMessageId } from '../../store/messages/message-rows.ts'
import { versionsBetween } from '../../store/verification/verification-rows.ts'
import { defineCheck, type Found } from './check.ts'

/** Number of messages whose texts are read, and looked for in the index. */
const IDS_AT_ONCE = 200
/**
 * Numbers of code points of a text that are looked for, at its beginning and its end. A text shorter than the
 * first cannot be found.
 */
const SOUGHT = { min: 3, max: 60 }

interface LoadedTexts {
  readonly before: ReadonlyMap<number, number>
  readonly bodies: ReadonlyMap<number, MessageBody>
  /** Messages that are found by their own text. */
  readonly found: ReadonlySet<number>
}

/** Checks that the search index finds every message by the beginning and the end of its text. */
export const checkSearch = defineCheck<LoadedTexts>({
  name: 'search',

  async load(contents, { sql }, after) {
    const before = versionsBetween(sql, after, after + IDS_AT_ONCE)
    await contents.written()
    const bodies = await contents.bodies([...before.keys()])
    const sought = [...bodies.values()].flatMap(({ id, content }) => {
      const needles = needlesOf(content)
      return needles.length > 0 ? [{ id, anyOf: [needles] }] : []
    })
    return { before, bodies, found: await contents.findable(sought) }
  },

  examine(tx, after, repair, { before, bodies, found }, contents) {
    const upTo = after + IDS_AT_ONCE
    const findings: Found[] = []
    for (const [id, version] of versionsBetween(tx.sql, after, upTo)) {
      const body = bodies.get(id)
      if (before.get(id) !== version || body?.version !== version || contents.isPending(id)) continue
      if (found.has(id) || needlesOf(body.content).length === 0) continue
      if (repair) tx.writeToD1({ statement: 'index-message-text', row: [id, indexedText(body.content)] })
      findings.push({ what: `message ${id}`, problem: 'it is not found by its text', repaired: repair })
    }
    return { findings, next: upTo < newestMessageId(tx.sql) ? upTo : undefined }
  },
})

function needlesOf(text: string): string[] {
  if (!isLongerThan(text, SOUGHT.min - 1)) return []
  const points = [...text]
  return [firstPoints(text, SOUGHT.max), points.slice(-SOUGHT.max).join('')]
}
