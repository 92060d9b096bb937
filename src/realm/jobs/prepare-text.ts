import { listLinkifiers } from '../../domain/linkifiers/linkifier-rows.ts'
import { MAX_MESSAGE_LENGTH } from '../../domain/messages/send/message-text.ts'
import { prepareRendering } from '../../markdown/prepare-rendering.ts'
import type { Runtime } from '../runtime.ts'

/** Prepares what a job renders, in turns before its own: it is not put off as a call is. Undefined if there is little to prepare. */
export function prepareText({ sql }: Pick<Runtime, 'sql'>, text: string): Promise<void> | undefined {
  // A message is cut to as many code points.
  return prepareRendering(text.slice(0, 2 * MAX_MESSAGE_LENGTH), listLinkifiers(sql))
}
