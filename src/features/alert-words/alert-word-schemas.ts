import * as v from 'valibot'
import { MAX_HANDMADE_LIST_LENGTH } from '../../api/input-limits.ts'
import { json, listUpTo, textUpTo } from '../../api/parameter-types.ts'

const MAX_WORD_LENGTH = 100

export const alertWords = json(listUpTo(MAX_HANDMADE_LIST_LENGTH, textUpTo(MAX_WORD_LENGTH)))

export const alertWordList = v.object({ alert_words: v.array(v.string()) })
