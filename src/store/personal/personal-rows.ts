import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import type { WordsOfUser } from '../../markdown/alert-words.ts'
import { Rows } from '../select-rows.ts'

/** Returns the hints that a user has seen. The table `onboarding_step` is owned by this file. */
export function listSeenSteps(sql: Sql, userId: number): Set<string> {
  const rows = sql.values<string>(`SELECT step FROM onboarding_step WHERE user_id = ?`, userId)
  return new Set(rows)
}

export function insertSeenStep(sql: WritableSql, userId: number, step: string): void {
  sql.run(`INSERT OR IGNORE INTO onboarding_step (user_id, step) VALUES (?, ?)`, userId, step)
}

/** A view in a user's sidebar in the API's form. Source: docs/interface/personal.md#navigation-views. */
export interface NavigationView {
  /** Part of the web application's address after `#`. */
  readonly fragment: string
  readonly is_pinned: boolean
  /** Null for views that clients name themselves. */
  readonly name: string | null
}

const VIEWS = new Rows<NavigationView>('navigation_view', 'fragment is_pinned=is_pinned:flag name')

/** Lists a user's navigation views, by fragment. The table `navigation_view` is owned by this file. */
export function listNavigationViews(sql: Sql, userId: number): NavigationView[] {
  return VIEWS.list(sql, `WHERE user_id = ? ORDER BY fragment`, userId)
}

export function putNavigationView(sql: WritableSql, userId: number, view: NavigationView): void {
  sql.run(
    `INSERT INTO navigation_view (user_id, fragment, is_pinned, name) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT (user_id, fragment) DO UPDATE SET is_pinned = ?3, name = ?4`,
    userId,
    view.fragment,
    Number(view.is_pinned),
    view.name,
  )
}

export function deleteNavigationView(sql: WritableSql, userId: number, fragment: string): void {
  sql.run(`DELETE FROM navigation_view WHERE user_id = ? AND fragment = ?`, userId, fragment)
}

/** A text that a user has saved for later, in the API's form. Source: docs/interface/personal.md#saved-snippets. */
export interface SavedSnippet {
  readonly id: number
  readonly title: string
  readonly content: string
  /** UNIX seconds. */
  readonly date_created: number
}

const SNIPPETS = new Rows<SavedSnippet>('saved_snippet', 'id title content created_at=date_created')

/** Lists a user's snippets, oldest first. */
export function listSavedSnippets(sql: Sql, userId: number): SavedSnippet[] {
  return SNIPPETS.list(sql, `WHERE user_id = ? ORDER BY id`, userId)
}

export function findSavedSnippet(sql: Sql, userId: number, id: number): SavedSnippet | undefined {
  return SNIPPETS.find(sql, `WHERE id = ? AND user_id = ?`, id, userId)
}

export function insertSavedSnippet(
  sql: WritableSql,
  userId: number,
  snippet: Omit<SavedSnippet, 'id'>,
): SavedSnippet {
  const id = SNIPPETS.insertNew(sql, snippet, { user_id: userId })
  return { id, ...snippet }
}

export function changeSavedSnippet(sql: WritableSql, { id, title, content }: SavedSnippet): void {
  SNIPPETS.change(sql, id, { title, content })
}

export function deleteSavedSnippet(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM saved_snippet WHERE id = ?`, id)
}

/** Returns a user's alert words in alphabetical order, whatever their case. */
export function listAlertWords(sql: Sql, userId: number): string[] {
  return sql.values<string>(`SELECT word FROM alert_word WHERE user_id = ? ORDER BY word_key`, userId)
}

/**
 * Number of words that are read in one row, since a row for each costs more than everything else. Those of 100 characters that
 * JSON writes as six stay below what a row may have.
 */
const WORDS_IN_A_ROW = 2_500

/** Yields everybody's alert words in lower case, by user, in parts: each is read when it is asked for. */
export function* alertWordsInParts(sql: Sql): Generator<WordsOfUser[], void> {
  for (let [userId, key, isLast] = [0, '', false]; !isLast; ) {
    const { users, keys } = sql.first<{ users: JsonText<number[]>; keys: JsonText<string[]> }>(
      `SELECT json_group_array(user_id) AS users, json_group_array(word_key) AS keys FROM (
         SELECT user_id, word_key FROM alert_word
         WHERE (user_id, word_key) > (?, ?) ORDER BY user_id, word_key LIMIT ${WORDS_IN_A_ROW}
       )`,
      userId,
      key,
    )!
    const [ids, words] = [fromJson(users), fromJson(keys)]
    yield ids.map((id, at) => ({ userId: id, words: [words[at]!] }))
    isLast = ids.length < WORDS_IN_A_ROW
    if (!isLast) [userId, key] = [ids.at(-1)!, words.at(-1)!]
  }
}

/** Adds words. Those that the user has in another case stay as they are. Returns whether any is new. */
export function insertAlertWords(sql: WritableSql, userId: number, words: readonly string[]): boolean {
  const written = sql.run(
    `INSERT INTO alert_word (user_id, word_key, word)
     SELECT ?, value ->> 0, value ->> 1 FROM json_each(?) WHERE true
     ON CONFLICT (user_id, word_key) DO NOTHING`,
    userId,
    words.map((word) => [word.toLowerCase(), word]),
  )
  return written > 0
}

/** Removes words, in any case. Returns whether the user had any of them. */
export function deleteAlertWords(sql: WritableSql, userId: number, words: readonly string[]): boolean {
  const written = sql.run(
    `DELETE FROM alert_word WHERE user_id = ? AND word_key IN (SELECT value FROM json_each(?))`,
    userId,
    words.map((word) => word.toLowerCase()),
  )
  return written > 0
}

/** The lists that are empty for most people: each with its table, and the condition for a user's rows. */
const ROWS = {
  alertWords: { table: 'alert_word', where: 'user_id = ?1' },
  bots: { table: 'user', where: 'bot_owner_id = ?1 AND bot_type IS NOT NULL' },
  clientDevices: { table: 'client_device', where: 'user_id = ?1' },
  drafts: { table: 'draft', where: 'user_id = ?1' },
  flags: { table: 'message_flag', where: 'user_id = ?1' },
  mutedUsers: { table: 'muted_user', where: 'user_id = ?1' },
  navigationViews: { table: 'navigation_view', where: 'user_id = ?1' },
  pausedAddresses: { table: 'paused_address', where: 'user_id = ?1' },
  reminders: { table: 'reminder', where: 'user_id = ?1' },
  savedSnippets: { table: 'saved_snippet', where: 'user_id = ?1' },
  scheduledMessages: { table: 'scheduled_message', where: `user_id = ?1 AND state <> 'sent'` },
} as const satisfies Readonly<Record<string, { readonly table: string; readonly where: string }>>

export type PersonalList = keyof typeof ROWS

/** 1 for each list that has something, else 0. */
export type ListsInUse = Readonly<Record<PersonalList, 0 | 1>>

const QUERY = `SELECT ${Object.entries(ROWS)
  .map(([list, { table, where }]) => `EXISTS (SELECT 1 FROM ${table} WHERE ${where}) AS ${list}`)
  .join(', ')}`

/** Returns which lists of a user have something, in one statement: reading an empty one takes as long as reading a few rows. */
export function listsInUse(sql: Sql, userId: number): ListsInUse {
  return sql.first<ListsInUse>(QUERY, userId)!
}
