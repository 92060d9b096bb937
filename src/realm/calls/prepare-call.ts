import type { RealmCall } from '../../core/call.ts'
import { listLinkifiers } from '../../domain/linkifiers/linkifier-rows.ts'
import { MAX_MESSAGE_LENGTH } from '../../domain/messages/send/message-text.ts'
import type { Operation } from '../../endpoints/define-endpoint.ts'
import { prepareRendering } from '../../markdown/prepare-rendering.ts'
import type { Runtime } from '../runtime.ts'

/** Prepares what the call renders, in turns before its own, since the change cannot wait. Undefined if there is little to prepare. */
export function prepareCall(
  runtime: Pick<Runtime, 'sql'>,
  { renders }: Pick<Operation, 'renders'>,
  { parameters }: Pick<RealmCall, 'parameters'>,
): Promise<void> | undefined {
  if (renders === undefined || !parameters.ok) return undefined
  const text = (parameters.value as Record<string, unknown>)[renders]
  return typeof text === 'string' && text !== '' ? prepareText(runtime, text) : undefined
}

/** Does the same for a text that a job renders. */
export function prepareText({ sql }: Pick<Runtime, 'sql'>, text: string): Promise<void> | undefined {
  // A message is cut to as many code points.
  return prepareRendering(text.slice(0, 2 * MAX_MESSAGE_LENGTH), listLinkifiers(sql))
}
