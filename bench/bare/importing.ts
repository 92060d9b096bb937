import { DurableObject } from 'cloudflare:workers'
import MarkdownIt from 'markdown-it'
import { fromJson, type JsonText } from '../../src/core/json.ts'

interface Environment {
  readonly DB: D1Database
}

/** The fields of a message of the neutral form that are read here. */
interface Line {
  readonly id: string
  readonly sender: string
  readonly time_ms: number
  readonly content: string
  readonly channel: string
}

/** Messages of one commit, and rows of a statement, which may have a hundred parameters. */
const [IN_A_COMMIT, IN_A_STATEMENT] = [100, 12] as const
/** Numbers of organizations in D1: without HTML, and with it. */
const [PLAIN, RENDERED] = [3, 4] as const
const markdown = new MarkdownIt({ breaks: true })

/**
 * Writes the rows that any server on this platform needs for an imported message, in the simplest way, without lookups or checks. Its
 * processor time is the floor for Parley's.
 */
export class ImportingObject extends DurableObject<Environment> {
  constructor(context: DurableObjectState, env: Environment) {
    super(context, env)
    context.storage.sql.exec(`
      CREATE TABLE IF NOT EXISTS message (
        id INTEGER PRIMARY KEY, recipient_id INTEGER NOT NULL, topic_id INTEGER NOT NULL, topic_spelling TEXT, sender_id INTEGER NOT NULL,
        client_id INTEGER NOT NULL, sent_at INTEGER NOT NULL, bits INTEGER NOT NULL);
      CREATE INDEX IF NOT EXISTS message_by_recipient ON message (recipient_id);
      CREATE INDEX IF NOT EXISTS message_by_topic ON message (topic_id);
      CREATE TABLE IF NOT EXISTS thing (
        source_id INTEGER NOT NULL, type TEXT NOT NULL, id TEXT NOT NULL, target_id INTEGER NOT NULL, import_id INTEGER NOT NULL,
        is_made INTEGER NOT NULL, digest INTEGER, PRIMARY KEY (source_id, type, id)) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS log (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, writes TEXT NOT NULL);
    `)
  }

  /** Imports messages: lines of JSON in the neutral form. `renders`: whether their Markdown becomes HTML, as in Parley. */
  async write(lines: string, renders: boolean): Promise<void> {
    const messages = lines.split('\n').filter((line) => line !== '')
    for (let at = 0; at < messages.length; at += IN_A_COMMIT) {
      const some = messages.slice(at, at + IN_A_COMMIT).map((line) => fromJson(line as JsonText<Line>))
      const bodies = this.ctx.storage.transactionSync(() => this.#commit(some, renders))
      await this.#project(renders ? RENDERED : PLAIN, bodies)
    }
  }

  /** Returns the bodies for D1. */
  #commit(messages: readonly Line[], renders: boolean): string {
    const { sql } = this.ctx.storage
    const { id: last } = sql.exec<{ id: number }>(`SELECT ifnull(max(id), 0) AS id FROM message`).one()
    const bodies = messages.map(({ content }, at) => [
      last + at + 1,
      content,
      renders ? markdown.render(content) : content,
    ])
    for (let from = 0; from < messages.length; from += IN_A_STATEMENT) {
      const some = messages.slice(from, from + IN_A_STATEMENT)
      const first = last + from + 1
      sql.exec(
        `INSERT INTO message VALUES ${some.map(() => '(?, ?, ?, NULL, ?, 1, ?, 0)').join()}`,
        ...some.flatMap(({ sender, channel, time_ms }, at) => [
          first + at,
          numberIn(channel),
          numberIn(channel),
          numberIn(sender),
          Math.floor(time_ms / 1_000),
        ]),
      )
      sql.exec(
        `INSERT INTO thing VALUES ${some.map(() => `(1, 'message', ?, ?, 1, 1, ?)`).join()}`,
        ...some.flatMap(({ id }, at) => [id, first + at, first]),
      )
    }
    const writes = JSON.stringify(bodies)
    sql.exec(`INSERT INTO log (at, writes) VALUES (?, ?)`, Math.floor(Date.now() / 1_000), writes)
    return writes
  }

  async #project(organization: number, rows: string): Promise<void> {
    const { DB } = this.env
    await DB.batch([
      DB.prepare(
        `INSERT INTO message_body SELECT ?1, value->>0, value->>1, value->>2 FROM json_each(?2)`,
      ).bind(organization, rows),
      DB.prepare(
        `INSERT INTO message_search (rowid, text) SELECT (?1 << 32) + (value->>0), value->>1 FROM json_each(?2)`,
      ).bind(organization, rows),
    ])
  }
}

function numberIn(id: string): number {
  return Number(/\d+/.exec(id)?.[0] ?? 0)
}

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url)
    await env.IMPORTING.getByName(pathname).write(await request.text(), pathname === '/rendered')
    return Response.json({ result: 'success' })
  },
} satisfies ExportedHandler<Environment & { readonly IMPORTING: DurableObjectNamespace<ImportingObject> }>
