import * as v from 'valibot'
import { MAX_MESSAGE_LENGTH } from '../../domain/messages/send/message-text.ts'
import { trimmedTextUpTo } from '../parameter-types.ts'

const MAX_TITLE_LENGTH = 60

export const snippetTitle = v.pipe(trimmedTextUpTo(MAX_TITLE_LENGTH), v.nonEmpty())
export const snippetContent = v.pipe(trimmedTextUpTo(MAX_MESSAGE_LENGTH), v.nonEmpty())
