import type { MessageBody } from './command.ts'

/** What D1 gives for a message of which it has no body: of no version that a message can have. */
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
