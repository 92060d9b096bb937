import type { Api, RequestOptions } from './request.ts'

/** A range of GET /messages. */
export interface MessageRange {
  readonly anchor: number | 'newest' | 'oldest' | 'first_unread'
  readonly before: number
  readonly after: number
  readonly includeAnchor?: boolean
}

/** The form of messages: rendered, with the empty topic as it is. */
const MESSAGE_FORM = { apply_markdown: true, client_gravatar: false, allow_empty_topic_name: true }

export function getMessages(
  api: Api,
  narrow: readonly object[],
  { anchor, before, after, includeAnchor = true }: MessageRange,
  options: RequestOptions = {},
) {
  return api.get(
    '/messages',
    {
      narrow,
      anchor,
      num_before: before,
      num_after: after,
      include_anchor: includeAnchor,
      ...MESSAGE_FORM,
    },
    options,
  )
}

export function changeFlag(
  api: Api,
  ids: readonly number[],
  flag: 'read' | 'starred' | 'collapsed' | 'hide_link_previews',
  op: 'add' | 'remove',
  options: RequestOptions = {},
) {
  return api.post('/messages/flags', { messages: ids, flag, op }, options)
}
