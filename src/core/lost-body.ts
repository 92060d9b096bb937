import type { MessageBody } from './command.ts'

/** Returns what replaces the body of a message that D1 does not have. No message can have its version. */
export function absentBody(id: number): MessageBody {
  return { id, version: -1, content: '', renderedContent: '', editHistory: [] }
}

/**
 * Returns what replaces a lost body, so that all else of the message can be shown, edited, moved and deleted.
 */
export function lostBody(id: number, version: number): MessageBody {
  return {
    id,
    version,
    content: '*The text of this message is missing.*',
    renderedContent: '<p><em>The text of this message is missing.</em></p>',
    editHistory: [],
    isLost: true,
  }
}
