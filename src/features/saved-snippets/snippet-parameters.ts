import * as v from 'valibot'
import { trimmedTextUpTo } from '../../api/parameter-types.ts'
import { MAX_MESSAGE_LENGTH } from '../../model/messages/send/message-text.ts'

const MAX_TITLE_LENGTH = 60

export const snippetTitle = v.pipe(trimmedTextUpTo(MAX_TITLE_LENGTH), v.nonEmpty())
export const snippetContent = v.pipe(trimmedTextUpTo(MAX_MESSAGE_LENGTH), v.nonEmpty())
