import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import type { WordsOfUser } from '../../markdown/alert-words.ts'

/** Returns a user's alert words in alphabetical order, whatever their case. */
export function listAlertWords(sql: Sql, userId: number): string[] {
  return sql
    .all<{ word: string }>(`SELECT word FROM alert_word WHERE user_id = ? ORDER BY word_key`, userId)
    .map(({ word }) => word)
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
    JSON.stringify(words.map((word) => [word.toLowerCase(), word])),
  )
  return written > 0
}

/** Removes words, in any case. Returns whether the user had any of them. */
export function deleteAlertWords(sql: WritableSql, userId: number, words: readonly string[]): boolean {
  const written = sql.run(
    `DELETE FROM alert_word WHERE user_id = ? AND word_key IN (SELECT value FROM json_each(?))`,
    userId,
    JSON.stringify(words.map((word) => word.toLowerCase())),
  )
  return written > 0
}
