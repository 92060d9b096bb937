import { defineReader } from '../../core/reader.ts'
import { AlertWordIndex, type WordsOfUser } from '../../markdown/alert-words.ts'
import { alertWordsInParts } from '../../store/alert-words/alert-word-rows.ts'

/**
 * Everybody's alert words, since each message is searched for all of them. The organization's quota limits their size to two megabytes of
 * memory.
 */
export const knownAlertWords = defineReader({
  name: 'alert words',
  key: () => '',
  *read({ sql }) {
    const words: WordsOfUser[] = []
    for (const part of alertWordsInParts(sql)) {
      for (const one of part) words.push(one)
      yield
    }
    return new AlertWordIndex(words)
  },
})
