import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import type { MessageBody } from '../../core/message-bodies.ts'
import type { StoreContents } from '../../core/other-stores.ts'
import { indexedText, trigramsOf } from '../../core/search-text.ts'
import { newestMessageId } from '../../store/messages/message-rows.ts'
import { adoptVersion, versionsBetween } from '../../store/verification/verification-rows.ts'
import { defineCheck, type Found } from './check.ts'

/** Number of messages whose texts one call indexes. */
const INDEXED_AT_ONCE = 100

interface LoadedBodies {
  /** The versions in the index before D1 was read. */
  readonly before: ReadonlyMap<number, number>
  readonly stored: ReadonlyMap<number, number>
  readonly searchable: ReadonlyMap<number, number>
  readonly elsewhere: Awaited<ReturnType<StoreContents['elsewhere']>>
  /** Texts of messages that should be searchable and are not. */
  readonly texts: ReadonlyMap<number, MessageBody>
  /** The newest message, here or in D1. */
  readonly newest: number
}

/**
 * Checks that every message has a body of its version in D1 and can be searched, and that D1 has no other bodies. A lost body
 * stays lost. If versions differ, because D1 or the object was restored, the text in D1 counts.
 */
export const checkBodies = defineCheck<LoadedBodies>({
  name: 'bodies',

  async fetch(contents, { sql }, after, repair) {
    const upTo = after + ENTRIES_AT_ONCE
    const before = versionsBetween(sql, after, upTo)
    await contents.written()
    const [stored, searchable, elsewhere, newestBody] = await Promise.all([
      contents.bodyVersions(after, upTo),
      contents.searchable(after, upTo),
      contents.elsewhere(after, upTo),
      contents.newestBody(),
    ])
    const missing = [...before.keys()].filter((id) => stored.has(id) && !searchable.has(id))
    const texts = repair ? await contents.bodies(missing.slice(0, INDEXED_AT_ONCE)) : new Map()
    const newest = Math.max(newestMessageId(sql), newestBody)
    return { before, stored, searchable, elsewhere, texts, newest }
  },

  examine(tx, after, repair, { before, stored, searchable, elsewhere, texts, newest }, contents) {
    const upTo = after + ENTRIES_AT_ONCE
    const now = versionsBetween(tx.sql, after, upTo)
    const findings: Found[] = []
    let isComplete = true
    const note = (id: number, problem: string, mend?: () => void) => {
      if (repair) mend?.()
      findings.push({ what: `message ${id}`, problem, repaired: repair && mend !== undefined })
    }
    for (const [id, version] of now) {
      if (before.get(id) !== version || contents.isPending(id)) continue
      const storedVersion = stored.get(id)
      if (storedVersion === undefined) {
        note(id, 'its text is lost')
        continue
      }
      if (storedVersion !== version) {
        note(id, `D1 has version ${storedVersion} of its text, and not ${version}`, () => {
          adoptVersion(tx.sql, id, storedVersion)
          contents.forgetKeptTexts()
        })
      }
      if (searchable.has(id)) continue
      const text = texts.get(id)
      if (repair && text === undefined) isComplete = false
      else {
        note(id, 'it cannot be searched', () =>
          tx.writeToD1({ statement: 'index-message-text', row: [id, indexedText(text!.content)] }),
        )
      }
    }
    const isOrphan = (id: number) => !now.has(id) && !before.has(id)
    for (const id of [...stored.keys()].filter(isOrphan)) {
      note(id, 'D1 has the text of a message that is not there', () =>
        tx.writeToD1({ statement: 'delete-message-body', row: [id] }),
      )
    }
    for (const id of [...searchable.keys()].filter((each) => isOrphan(each) && !stored.has(each))) {
      note(id, 'a message that is not there can be searched', () =>
        tx.writeToD1({ statement: 'forget-message-text', row: [id] }),
      )
    }
    for (const { id, database } of elsewhere) {
      note(id, 'a database has a text of it in which it is not', () =>
        tx.writeToD1({ statement: 'delete-message-body', row: [id], database }),
      )
    }
    if (!isComplete) return { findings, next: after }
    return { findings, next: upTo < newest ? upTo : undefined }
  },
})

/** Number of messages whose texts one call reads and searches for: the rest of a call takes as long as looking for a hundred. */
const IDS_AT_ONCE = 500
/**
 * Number of trigrams of each text that are searched for, one by one: for one trigram the index goes straight to the messages,
 * some 30 µs each, however many texts there are. For several in a row it would go through all texts that have them.
 */
const TRIGRAMS = 3

interface LoadedTexts {
  readonly before: ReadonlyMap<number, number>
  readonly bodies: ReadonlyMap<number, MessageBody>
  /** The last checked message: of longer texts, fewer are read at once. */
  readonly upTo: number
  /** Messages for which the index has another number of trigrams, or lacks one. */
  readonly otherwise: ReadonlySet<number>
}

/** Checks that the search index has every message with as many trigrams as its text, and finds it by some of them. */
export const checkSearch = defineCheck<LoadedTexts>({
  name: 'search',

  async fetch(contents, { sql }, after) {
    const end = after + IDS_AT_ONCE
    const before = versionsBetween(sql, after, end)
    await contents.written()
    const bodies = await contents.bodies([...before.keys()])
    const unread = [...before.keys()].find((id) => !bodies.has(id))
    const upTo = unread === undefined ? end : unread - 1
    const trigrams = new Map([...bodies].map(([id, { content }]) => [id, trigramsOf(content, TRIGRAMS)]))
    const questions = [...trigrams].flatMap(([id, { some }]) => some.map((each) => ({ id, anyOf: [[each]] })))
    const [found, searchable] = await Promise.all([
      contents.findable(questions),
      contents.searchable(after, upTo),
    ])
    const isFound = new Set(found)
    const otherwise = new Set(questions.filter((each) => !isFound.has(each)).map(({ id }) => id))
    for (const [id, { count }] of trigrams) if (searchable.get(id) !== count) otherwise.add(id)
    return { before, bodies, upTo, otherwise }
  },

  examine(tx, after, repair, { before, bodies, upTo, otherwise }, contents) {
    const findings: Found[] = []
    for (const [id, version] of versionsBetween(tx.sql, after, upTo)) {
      const body = bodies.get(id)
      if (before.get(id) !== version || body?.version !== version || contents.isPending(id)) continue
      if (!otherwise.has(id)) continue
      if (repair) tx.writeToD1({ statement: 'index-message-text', row: [id, indexedText(body.content)] })
      findings.push({ what: `message ${id}`, problem: 'it is not found by its text', repaired: repair })
    }
    return { findings, next: upTo < newestMessageId(tx.sql) ? upTo : undefined }
  },
})
