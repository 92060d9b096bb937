import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import { databaseOf, type MessageBody } from '../../core/message-bodies.ts'
import type { Sql } from '../../core/sql.ts'
import { type BodyLocations, fetchBodiesFrom, SHORT_BODY } from '../../store/d1/message-bodies.ts'
import { type TextWrite, writeTexts } from '../../store/d1/projection.ts'
import { listBodyIds } from '../../store/d1/stored-rows.ts'
import { findMessages } from '../../store/messages/message-rows.ts'
import type { TextLine } from './backup-form.ts'

/** The organization whose texts D1 is to have: its messages, and where their bodies are. */
export interface FilledTexts {
  readonly sql: Sql
  readonly realmId: number
  readonly locations: BodyLocations
}

/**
 * Makes D1 have the texts of a chunk, as far as they are those of messages that the object has, in their versions; a later chunk has the
 * others. What D1 has already is only read. May be repeated.
 */
export async function fillTexts(
  { sql, realmId, locations }: FilledTexts,
  lines: readonly TextLine[],
): Promise<void> {
  const ids = [...new Set(lines.map(([id]) => id))].sort((a, b) => a - b)
  const versions = new Map(findMessages(sql, ids).map(({ id, version }) => [id, version]))
  const texts = new Map(lines.map((line) => [line[0], line]))
  for (
    let left = [...texts.values()].filter(([id, version]) => versions.get(id) === version);
    left.length > 0;
  ) {
    const wanted = left.map(([id, , ...parts]) => ({ id, isShort: parts.join('').length < SHORT_BODY }))
    const found = await fetchBodiesFrom(locations, realmId, wanted)
    const writes = left.flatMap((line): TextWrite[] => {
      const body = found.get(line[0])
      return body && !isText(body, line) ? [{ statement: 'replace-message-body', row: line }] : []
    })
    await writeTexts(locations, realmId, writes)
    left = left.filter(([id]) => !found.has(id))
  }
}

function isText(body: MessageBody, [, version, content, renderedContent, editHistory]: TextLine): boolean {
  return (
    body.version === version &&
    body.content === content &&
    body.renderedContent === renderedContent &&
    JSON.stringify(body.editHistory) === editHistory
  )
}

/**
 * Removes texts from one of the databases that are of no message that the object has, or belong in another database. Returns after which
 * message to go on; undefined at the end.
 */
export async function removeOtherTexts(
  { sql, realmId, locations }: FilledTexts,
  database: number,
  after: number,
): Promise<number | undefined> {
  const db = locations.database(database)
  const ids = await listBodyIds(db, realmId, after, ENTRIES_AT_ONCE)
  const known = new Set(findMessages(sql, ids).map(({ id }) => id))
  const others = ids.filter((id) => !known.has(id) || databaseOf(locations.ranges, id) !== database)
  await writeTexts(
    { ranges: [{ first: 0, database }], database: () => db },
    realmId,
    others.map((id) => ({ statement: 'delete-message-body', row: [id] })),
  )
  return ids.length < ENTRIES_AT_ONCE ? undefined : ids.at(-1)
}
