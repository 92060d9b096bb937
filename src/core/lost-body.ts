import type { MessageBody } from './command.ts'

/** Stands for the body of a message that D1 does not have. Its version is one that no message can have. */
export function absentBody(id: number): MessageBody {
  return { id, version: -1, content: '', renderedContent: '', editHistory: [] }
}

/** Stands for a body that is lost, so that all else of the message can be shown, edited, moved and deleted. */
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
