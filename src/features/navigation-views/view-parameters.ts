import * as v from 'valibot'
import { trimmedTextUpTo } from '../../api/parameter-types.ts'

const MAX_NAME_LENGTH = 100
const MAX_FRAGMENT_LENGTH = 1_000

export const fragment = v.pipe(trimmedTextUpTo(MAX_FRAGMENT_LENGTH), v.nonEmpty())
export const viewName = trimmedTextUpTo(MAX_NAME_LENGTH)
