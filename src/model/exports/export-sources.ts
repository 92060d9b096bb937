import type { ExportSource } from './export-source.ts'
import { channelsSource, subscriptionsSource, topicsSource } from './read-channels.ts'
import { messagesSource } from './read-messages.ts'
import { manifestSource, organizationSource, personalSource, userGroupsSource } from './read-organization.ts'
import { usersSource } from './read-people.ts'
import { picturesSource } from './read-pictures.ts'
import { uploadsSource } from './read-uploads.ts'

/** The sources of an archive, in its order (docs/export.md). The uploads come last. */
export const EXPORT_SOURCES: readonly ExportSource[] = [
  manifestSource,
  organizationSource,
  picturesSource,
  usersSource,
  userGroupsSource,
  channelsSource,
  subscriptionsSource,
  topicsSource,
  messagesSource,
  personalSource,
  uploadsSource,
]
