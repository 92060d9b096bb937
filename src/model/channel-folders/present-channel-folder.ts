import type { ChannelFolder } from '../../store/channel-folders/channel-folder-rows.ts'

/** Returns the folder object. Source: docs/interface/channels.md#channel-folders. */
export function presentFolder(folder: ChannelFolder) {
  return {
    id: folder.id,
    name: folder.name,
    order: folder.position,
    date_created: folder.createdAt,
    creator_id: folder.creatorId,
    description: folder.description,
    rendered_description: folder.renderedDescription,
    is_archived: folder.isArchived,
  }
}

export type PresentedFolder = ReturnType<typeof presentFolder>
