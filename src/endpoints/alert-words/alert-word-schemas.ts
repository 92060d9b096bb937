import * as v from 'valibot'
import { json, textUpTo } from '../parameter-types.ts'

const MAX_WORD_LENGTH = 100

export const alertWords = json(v.array(textUpTo(MAX_WORD_LENGTH)))

export const alertWordList = v.object({ alert_words: v.array(v.string()) })
